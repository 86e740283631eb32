import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import Orbit from 'virtual:icon/orbit'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { DayList } from '../../../ui/day-list.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ActivityLine } from './activity-line.tsx'
import { activityQuery } from './activity-query.ts'

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
