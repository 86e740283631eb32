import { LinkButton } from '../../lib/link-button.tsx'
import type { PublicDeviceDetails } from '@astropelago/contract/devices'
import type { HistoryEvent } from '@astropelago/contract/history'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
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
import { duration } from '../../ui/history-words.ts'
import { HoursLine } from '../../ui/hours-line.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'
import { UptimeFigures } from '../../ui/uptime-figures.tsx'

interface DevicePastProps {
  device: Pick<PublicDeviceDetails, 'id' | 'label' | 'status'>
  isOwn: boolean
  beside: ReactNode
}

/** The number of events shown at first. The others of the loaded page appear on request. */
const shortLog = 12

export function DevicePast({ device: { id, label, status }, isOwn, beside }: DevicePastProps) {
  const history = useInfiniteQuery(deviceHistoryQuery(id))
  const first = history.data?.pages[0]
  const events = history.data?.pages.flatMap((page) => page.events) ?? []
  const days = drawingDays(first?.days ?? [])
  const [isShort, setIsShort] = useState(true)
  const isCut = isShort && events.length > shortLog
  const eventsId = useId()
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
      {/* The tree is the same with and without a log, so that edits in `beside` survive the first heartbeat. */}
      <div className={`grid items-start gap-6 ${hasNoHeartbeat ? '' : 'lg:grid-cols-2'}`}>
        {!hasNoHeartbeat && (
          <Card title={t`Log`} description={t`When it came online and when it went offline.`}>
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
              <ol aria-labelledby={eventsId} className="flex flex-col">
                {events.slice(0, isCut ? shortLog : undefined).map((event, index) => (
                  <EventLine
                    key={`${event.at} ${event.kind}`}
                    event={event}
                    flip={events.slice(0, index).findLast(isFlip)}
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

function EventLine({ event, flip }: { event: HistoryEvent; flip: HistoryEvent | undefined }) {
  const { kind, at } = event
  return (
    <li
      data-numeric
      className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-2.5 text-sm first:pt-0 last:border-0 last:pb-0"
    >
      <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0 self-center" fill="none">
        <StatusMark status={kind} />
      </svg>
      <span className="text-ink">{happened[kind]}</span>
      <span className="text-muted">{lasted(event, flip)}</span>
      <span className="ms-auto text-xs text-muted">
        <LocalTime at={at} />
      </span>
    </li>
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

function lasted(event: HistoryEvent, flip: HistoryEvent | undefined): string {
  const end = event.kind === 'unobserved' ? event.until : flip?.at
  if (end === undefined) return ''
  const time = duration((Date.parse(end) - Date.parse(event.at)) / 1000)
  return t`for ${time}`
}
