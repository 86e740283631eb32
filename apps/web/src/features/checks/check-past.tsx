import type { CheckEvent, CheckStatus, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import Activity from 'virtual:icon/activity'
import { isFirstLoad } from '../../lib/query-state.ts'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/day-bars.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { duration } from '../../ui/history-words.ts'
import { HoursLine } from '../../ui/hours-line.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { AwaitedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { UptimeFigures } from '../../ui/uptime-figures.tsx'
import { CheckMark } from './check-mark.tsx'
import { checkHistoryQuery } from './check-queries.ts'
import { checkWords } from './check-words.ts'
import { ResponseTimes } from './response-times.tsx'

interface CheckPastProps {
  check: PublicCheck
  beside: ReactNode
}

/** The number of events shown at first. The others of the loaded page appear on request. */
const shortLog = 12

export function CheckPast({ check: { id, name, kind }, beside }: CheckPastProps) {
  const history = useInfiniteQuery(checkHistoryQuery(id))
  const first = history.data?.pages[0]
  const events = history.data?.pages.flatMap((page) => page.events) ?? []
  const [isShort, setIsShort] = useState(true)
  const isCut = isShort && events.length > shortLog
  const isNew = first?.days.length === 0
  const hasTimes =
    first !== undefined &&
    (first.samples.length > 0 || first.days.some(({ p50Ms }) => p50Ms !== null))
  const endMs = Date.parse(first?.spans.at(-1)?.to ?? '') || history.dataUpdatedAt
  const skeleton = <Skeleton className="h-40 w-full rounded-control" />
  // Everything appears at once, because the cards have the height of what is in them.
  if (isFirstLoad(history)) return <AwaitedSkeleton className="h-[48rem] w-full rounded-card" />
  return (
    <>
      {isNew ? (
        <EmptyState icon={<Activity aria-hidden />} title={t`No history yet`}>
          <p>
            {kind === 'push' ? (
              <Trans>Once your script has reported, this page shows when it was up.</Trans>
            ) : (
              <Trans>Once it has been checked, this page shows when it was up.</Trans>
            )}
          </p>
        </EmptyState>
      ) : (
        <>
          <Card title={t`Uptime`}>
            <LoadedList
              of={t`The history`}
              query={{ ...history, hasNextPage: false }}
              isEmpty={first === undefined}
              skeleton={skeleton}
              empty={null}
            >
              <UptimeFigures windows={first?.windows ?? []} />
            </LoadedList>
          </Card>
          {first !== undefined && (
            <Card
              title={t`Days`}
              description={t`Days are in UTC. Time that this server could not observe counts as neither up nor down.`}
            >
              <DayBars of={name} days={first.days} words={checkWords} />
              <HoursLine
                spans={first.spans.map(({ from, to, status }) => ({ from, to, state: status }))}
                words={checkWords}
              />
            </Card>
          )}
          {hasTimes && (
            <Card title={kind === 'push' ? t`How long it took` : t`Response times`}>
              <ResponseTimes of={name} history={first} nowMs={endMs} />
            </Card>
          )}
        </>
      )}
      {/* The tree is the same with and without a log, so that edits in `beside` survive the first look. */}
      <div className={`grid items-start gap-6 ${isNew ? '' : 'lg:grid-cols-2'}`}>
        {!isNew && (
          <Card title={t`Log`} description={t`When it went down and when it came back.`}>
            <LoadedList
              of={t`The log`}
              query={
                isCut
                  ? { ...history, hasNextPage: true, fetchNextPage: () => setIsShort(false) }
                  : history
              }
              isEmpty={events.length === 0}
              skeleton={skeleton}
              empty={
                <p className="text-sm text-muted">
                  <Trans>Nothing has happened in the last 90 days.</Trans>
                </p>
              }
              more={t`Show earlier`}
            >
              <ol className="flex flex-col">
                {events.slice(0, isCut ? shortLog : undefined).map((event, index) => (
                  <EventLine
                    key={`${event.at} ${event.kind}`}
                    event={event}
                    until={events[index - 1]?.at}
                  />
                ))}
              </ol>
            </LoadedList>
          </Card>
        )}
        <div className="flex min-w-0 flex-col gap-6">{beside}</div>
      </div>
    </>
  )
}

const happened: Readonly<Record<CheckStatus, string>> = {
  up: t`Came up`,
  down: t`Went down`,
  unobserved: t`Not observed`,
}

interface EventLineProps {
  event: CheckEvent
  /** When the next event came. */
  until: string | undefined
}

function EventLine({ event: { kind, at, note }, until }: EventLineProps) {
  const time =
    until === undefined ? undefined : duration((Date.parse(until) - Date.parse(at)) / 1000)
  return (
    <li
      data-numeric
      className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-2.5 text-sm first:pt-0 last:border-0 last:pb-0"
    >
      <CheckMark state={kind} className="size-3 self-center" />
      <span className="text-ink">{happened[kind]}</span>
      {time !== undefined && <span className="text-muted">{t`for ${time}`}</span>}
      <span className="ms-auto text-xs text-muted">
        <LocalTime at={at} />
      </span>
      {note !== null && (
        <span dir="auto" className="w-full ps-6 text-xs wrap-anywhere text-muted">
          {note}
        </span>
      )}
    </li>
  )
}
