import type { OwnAlerts } from '@astropelago/contract/alerts'
import { alertMessageRetentionDays } from '@astropelago/contract/limits'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import Inbox from 'virtual:icon/inbox'
import Moon from 'virtual:icon/moon'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ownAlertsQuery } from '../alerts-query.ts'
import { MessageItem } from './message-item.tsx'
import { alertMessagesQuery } from './messages-query.ts'

/** How often to check alerts that are held back. */
const heldMs = 60_000
const headingId = 'alert-messages-heading'

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
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="What was sent"
        description={`The newest come first. They are kept for ${alertMessageRetentionDays} days. Tests are not listed.`}
      />
      {alerts && <Today alerts={alerts} />}
      <LoadedList
        of="What was sent"
        query={query}
        isEmpty={messages.length === 0}
        skeleton={<Skeleton className="h-32 w-full rounded-control" />}
        empty={
          <EmptyState icon={<Inbox aria-hidden />} title="No alerts yet">
            <p>
              When a device goes offline or an island closes, the alert that you get is listed here.
            </p>
          </EmptyState>
        }
        more="Show earlier"
      >
        <ol aria-labelledby={headingId} className="flex min-w-0 flex-col border-y border-line">
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} />
          ))}
        </ol>
      </LoadedList>
    </Card>
  )
}

/** How many alerts were sent today out of the limit, and which are held back. */
function Today({ alerts: { sentCount, sentMax, held } }: { alerts: OwnAlerts }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="text-muted" data-numeric>
        {sentCount} of {sentMax} messages in the last 24 hours.
      </p>
      {held && (
        <p className="flex items-start gap-2 rounded-control bg-raised px-4 py-3">
          <Moon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="min-w-0">
            {held.by === 'quiet-hours'
              ? 'An alert is waiting for the end of your quiet hours: '
              : `An alert is waiting, because you already got ${sentMax} messages in 24 hours. Next message: `}
            <LocalTime at={held.until} />.
          </span>
        </p>
      )}
    </div>
  )
}
