import { LinkButton } from '../../../lib/link-button.tsx'
import {
  type AlertDelivery,
  type AlertMessage,
  listAlertMessages,
  type OwnAlerts,
} from '@astropelago/contract/alerts'
import { alertMessageRetentionDays } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CircleX from 'virtual:icon/circle-x'
import Hourglass from 'virtual:icon/hourglass'
import Inbox from 'virtual:icon/inbox'
import Moon from 'virtual:icon/moon'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ownAlertsQuery } from '../alerts-query.ts'

/** How often to check deliveries that wait for a retry. */
const waitingMs = 15_000

const alertMessagesQuery = infiniteQueryOptions({
  queryKey: ['alert-messages'],
  queryFn: ({ pageParam, signal }) =>
    call(listAlertMessages, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: ({ state }) => {
    const [newest] = state.data?.pages ?? []
    const isAnyWaiting = newest?.messages.some(({ deliveries }) =>
      deliveries.some(({ state: delivery }) => delivery === 'waiting'),
    )
    return isAnyWaiting === true ? waitingMs : false
  },
})

/** How often to check alerts that are held back. */
const heldMs = 60_000

/** The alerts sent to the user, with their channels and the responses. */
export function MessagesCard() {
  const query = useInfiniteQuery(alertMessagesQuery)
  const { data: alerts } = useQuery({
    ...ownAlertsQuery,
    refetchInterval: ({ state }) => (state.data?.held ? heldMs : false),
  })
  const { refetch } = query
  // If the held alerts have changed, some of them may have been sent.
  const wasHeld = useRef(false)
  useEffect(() => {
    if (wasHeld.current) void refetch()
    wasHeld.current = Boolean(alerts?.held)
  }, [alerts, refetch])
  const messages = query.data?.pages.flatMap((page) => page.messages) ?? []
  return (
    <ListCard
      title={t`What was sent`}
      description={t`The newest come first. They stay for ${plural(alertMessageRetentionDays, { one: '# day', other: '# days' })}. Tests are not listed.`}
      filters={alerts && <Today alerts={alerts} />}
      of={t`What was sent`}
      query={query}
      isEmpty={messages.length === 0}
      skeleton={<Skeleton className="h-32 w-full rounded-control" />}
      empty={
        <EmptyState icon={<Inbox aria-hidden />} title={t`No alerts yet`}>
          <p>
            <Trans>
              When a device goes offline, an island closes or a check is down, the alert that you
              get is listed here.
            </Trans>
          </p>
        </EmptyState>
      }
      more={t`Show earlier`}
    >
      <ol aria-label={t`What was sent`} className="flex min-w-0 flex-col border-y border-line">
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} />
        ))}
      </ol>
    </ListCard>
  )
}

/** How many alerts were sent today out of the limit, and which are held back. */
function Today({ alerts: { sentCount, sentMax, held } }: { alerts: OwnAlerts }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="text-muted" data-numeric>
        <Trans>
          {sentCount} of <Plural value={sentMax} one="# message" other="# messages" /> in the last
          24 hours.
        </Trans>
      </p>
      {held && (
        <p className="flex items-start gap-2 rounded-control bg-raised px-4 py-3">
          <Moon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="min-w-0">
            {held.by === 'quiet-hours' ? (
              <Trans>
                An alert is waiting for the end of your quiet hours: <LocalTime at={held.until} />.
              </Trans>
            ) : (
              <Trans>
                An alert is waiting, because you already got{' '}
                <Plural value={sentMax} one="# message" other="# messages" /> in 24 hours. Next
                message: <LocalTime at={held.until} />.
              </Trans>
            )}
          </span>
        </p>
      )}
    </div>
  )
}

/** A message about many devices has a line for each. */
const linesAtFirst = 5

function MessageItem({ message }: { message: AlertMessage }) {
  const { at, title, lines, url, deliveries } = message
  const [showsAll, setShowsAll] = useState(false)
  // A button that hides a single line would take up a line itself.
  const isLong = lines.length > linesAtFirst + 1
  const shown = isLong && !showsAll ? lines.slice(0, linesAtFirst) : lines
  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-4 last:border-0 lg:flex-row lg:gap-8">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-4">
          <h3 dir="auto" className="min-w-0 text-sm font-medium wrap-anywhere">
            {title}
          </h3>
          <span className="text-xs text-muted">
            <LocalTime at={at} />
          </span>
        </div>
        {/* Each line has its own text direction. */}
        <p className="text-sm wrap-anywhere whitespace-pre-line text-muted [unicode-bidi:plaintext]">
          {shown.join('\n')}
        </p>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {isLong && (
            <Button
              variant="link"
              size="sm"
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll
                ? t`Show fewer lines`
                : plural(lines.length, { one: 'Show # line', other: 'Show all # lines' })}
            </Button>
          )}
          <LinkButton to={pathOf(url)} aria-label={t`Show: ${title}`} variant="link" size="sm">
            <Trans>Show</Trans>
          </LinkButton>
        </div>
      </div>
      <ul aria-label={t`Where to: ${title}`} className="flex min-w-0 flex-1 flex-col gap-2">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.channel.id} delivery={delivery} />
        ))}
      </ul>
    </li>
  )
}

const deliveryStates = {
  sent: { Icon: CircleCheck, colour: 'text-accent' },
  failed: { Icon: CircleX, colour: 'text-danger' },
  waiting: { Icon: Hourglass, colour: 'text-muted' },
} as const satisfies Record<AlertDelivery['state'], unknown>

function Delivery({ delivery }: { delivery: AlertDelivery }) {
  const { channel, state, tries, triedAt, nextTryAt, answer } = delivery
  const { Icon, colour } = deliveryStates[state]
  const name = <bdi className="font-medium text-ink">{channel.name}</bdi>
  const words = {
    sent: <Trans>Sent to {name}</Trans>,
    failed: <Trans>Did not reach {name}</Trans>,
    waiting: <Trans>On its way to {name}</Trans>,
  }
  return (
    <li className="flex min-w-0 items-start gap-2 text-xs text-muted">
      <Icon aria-hidden className={`mt-0.5 size-3.5 shrink-0 ${colour}`} />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="wrap-anywhere">
          {words[state]}
          {triedAt !== null && (
            <>
              , <LocalTime at={triedAt} />
            </>
          )}
        </span>
        {answer !== null && <bdi className="wrap-anywhere">{answer}</bdi>}
        {state === 'waiting' && tries > 0 && nextTryAt !== null && (
          <span>
            <Trans>
              <Plural value={tries} one="One try" other="# tries" /> so far, again at{' '}
              <LocalTime at={nextTryAt} />
            </Trans>
          </span>
        )}
        {state === 'failed' && (
          <span>
            <Plural value={tries} one="Given up after one try" other="Given up after # tries" />
          </span>
        )}
      </span>
    </li>
  )
}

/** Messages link only to pages of this site. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
