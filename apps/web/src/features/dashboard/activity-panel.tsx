import { useInfiniteQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import Orbit from 'virtual:icon/orbit'
import { type ActivityItem, listActivity } from '@astropelago/contract/island-log'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { DayList } from '../../ui/day-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HappeningLine, LogLine } from '../../islands/log-line.tsx'
import { NameLink } from '../../lib/name-link.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The activity of the user's devices and islands, page by page, newest first. */
const activityQuery = infiniteQueryOptions({
  queryKey: queryKeys.activity,
  queryFn: ({ pageParam, signal }) =>
    call(listActivity, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})

/** Status changes of the user's devices and log entries of their islands, by day. */
export function ActivityPanel() {
  const titleId = useId()
  const query = useInfiniteQuery(activityQuery)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Recent activity"
        description="Your devices, and the islands that you host or have joined."
      />
      <LoadedList
        of="What happened"
        query={query}
        isEmpty={items.length === 0}
        skeleton={<ActivitySkeleton />}
        empty={<NothingYet />}
        more="Show earlier"
      >
        <DayList items={items} heading="h3">
          {(item) => <ActivityLine key={`${item.type}-${item.id}`} item={item} />}
        </DayList>
      </LoadedList>
    </Card>
  )
}

function NothingYet() {
  return (
    <EmptyState icon={<Orbit aria-hidden />} title="Nothing has happened yet">
      <p>
        Here you see when your devices come online or go offline, and what happens on your islands.
      </p>
      <Link to={paths.connect()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
        Connect a device
      </Link>
    </EmptyState>
  )
}

const rows = [0, 1, 2, 3, 4]

function ActivitySkeleton() {
  return (
    <div data-awaited className="flex flex-col gap-5 py-1">
      <output className="sr-only">Loading what happened…</output>
      {rows.map((row) => (
        <Skeleton key={row} className="h-6 w-full rounded-mark" />
      ))}
    </div>
  )
}

const flips = {
  online: 'came online',
  offline: 'went offline',
  unknown: 'has not reported',
} as const

/** One event with its time of day. */
function ActivityLine({ item }: { item: ActivityItem }) {
  if (item.type === 'log') return <LogLine island={item.island} entry={item.entry} />
  const { device, status, at } = item
  return (
    <HappeningLine
      sign={
        <svg aria-hidden viewBox="0 0 12 12" className="size-3" fill="none">
          <StatusMark status={status} />
        </svg>
      }
      happening={
        <>
          <NameLink to={paths.device(device.id)}>{device.label}</NameLink> {flips[status]}
        </>
      }
      at={at}
    />
  )
}
