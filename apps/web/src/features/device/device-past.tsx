import { LinkButton } from '../../lib/link-button.tsx'
import type { PublicDeviceDetails } from '@astropelago/contract/devices'
import type { HistoryEvent } from '@astropelago/contract/history'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import SatelliteDish from 'virtual:icon/satellite-dish'
import {
  deviceHistoryQuery,
  deviceUptimeQuery,
  drawingDays,
  drawingSpans,
} from '../../devices/device-queries.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/day-bars.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { deviceWords } from '../../ui/history-days.ts'
import { HoursLine } from '../../ui/hours-line.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { type EventWords, LogAndParts, PastLog } from '../../ui/past-log.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'
import { UptimeFigures } from '../../ui/uptime-figures.tsx'

interface DevicePastProps {
  device: Pick<PublicDeviceDetails, 'id' | 'label' | 'status'>
  isOwn: boolean
  beside: ReactNode
}

export function DevicePast({ device: { id, label, status }, isOwn, beside }: DevicePastProps) {
  const history = useInfiniteQuery(deviceHistoryQuery(id))
  const first = history.data?.pages[0]
  const events = history.data?.pages.flatMap((page) => page.events) ?? []
  const days = drawingDays(first?.days ?? [])
  const hasNoHeartbeat = status === 'unknown' && first !== undefined && days.length === 0
  const skeleton = <Skeleton className="h-40 w-full rounded-control" />
  return (
    <>
      {hasNoHeartbeat ? (
        <NothingYet id={id} isOwn={isOwn} />
      ) : (
        <>
          <UptimeCard id={id} />
          <Card
            title={t`Days`}
            description={t`Days are in UTC. Time that this server could not observe counts as neither online nor offline.`}
          >
            <LoadedList
              of={t`The days`}
              query={{ ...history, hasNextPage: false }}
              isEmpty={first === undefined}
              skeleton={skeleton}
              empty={null}
            >
              <DayBars of={label} days={days} words={deviceWords} />
              <HoursLine spans={drawingSpans(first?.spans ?? [])} words={deviceWords} />
            </LoadedList>
          </Card>
        </>
      )}
      <LogAndParts
        log={
          hasNoHeartbeat ? null : (
            <PastLog
              description={t`When it came online and when it went offline.`}
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

function NothingYet({ id, isOwn }: { id: string; isOwn: boolean }) {
  return (
    <EmptyState icon={<SatelliteDish aria-hidden />} title={t`No heartbeat yet`}>
      <p>
        <Trans>After its first heartbeat, this page shows when the device was online.</Trans>
      </p>
      {isOwn && (
        <LinkButton to={paths.connectDevice(id)} size="sm">
          <Trans>Connect it</Trans>
        </LinkButton>
      )}
    </EmptyState>
  )
}

function UptimeCard({ id }: { id: string }) {
  const query = useQuery(deviceUptimeQuery(id))
  const windows = query.data?.windows ?? []
  return (
    <Card title={t`Uptime`}>
      <LoadedList
        of={t`The uptime`}
        query={query}
        isEmpty={query.data === undefined}
        skeleton={<Skeleton className="h-20 w-full rounded-control" />}
        empty={null}
      >
        <UptimeFigures windows={windows} />
      </LoadedList>
    </Card>
  )
}

const happened: Readonly<Record<HistoryEvent['kind'], string>> = {
  online: t`Came online`,
  offline: t`Went offline`,
  unobserved: t`Not observed`,
}

/** After a period without observation, a device keeps its earlier status until a flip: [H2]. */
function isFlip({ kind }: HistoryEvent): boolean {
  return kind !== 'unobserved'
}

function wordsOf(event: HistoryEvent, index: number, events: readonly HistoryEvent[]): EventWords {
  const { kind } = event
  return {
    mark: (
      <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0 self-center" fill="none">
        <StatusMark status={kind} />
      </svg>
    ),
    happened: happened[kind],
    until: kind === 'unobserved' ? event.until : events.slice(0, index).findLast(isFlip)?.at,
  }
}
