import type { CheckEvent, CheckStatus, PublicCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import Activity from 'virtual:icon/activity'
import { isFirstLoad } from '../../lib/query-state.ts'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/day-bars.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { HoursLine } from '../../ui/hours-line.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { type EventWords, LogAndParts, PastLog } from '../../ui/past-log.tsx'
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

export function CheckPast({ check: { id, name, kind }, beside }: CheckPastProps) {
  const history = useInfiniteQuery(checkHistoryQuery(id))
  const first = history.data?.pages[0]
  const events = history.data?.pages.flatMap((page) => page.events) ?? []
  const isNew = first?.days.length === 0
  const hasTimes =
    first !== undefined &&
    (first.samples.length > 0 ||
      first.days.some(({ p50Ms }) => p50Ms !== null) ||
      Boolean(first.locations?.length))
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
      <LogAndParts
        log={
          isNew ? null : (
            <PastLog
              description={t`When it went down and when it came back.`}
              query={history}
              events={events}
              wordsOf={wordsOf}
            />
          )
        }
      >
        {beside}
      </LogAndParts>
    </>
  )
}

const happened: Readonly<Record<CheckStatus, string>> = {
  up: t`Came up`,
  down: t`Went down`,
  unobserved: t`Not observed`,
}

function wordsOf({ kind }: CheckEvent, index: number, events: readonly CheckEvent[]): EventWords {
  return {
    mark: <CheckMark state={kind} className="size-3 self-center" />,
    happened: happened[kind],
    until: events[index - 1]?.at,
  }
}
