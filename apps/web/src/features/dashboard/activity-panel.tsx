import { type ActivityItem, listActivity } from '@astropelago/contract/island-log'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import Orbit from 'virtual:icon/orbit'
import { HappeningLine, LogLine } from '../../islands/log-entry.tsx'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { NameLink } from '../../lib/name-link.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { DayList } from '../../ui/day-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-badge.tsx'

const activityQuery = infiniteQueryOptions({
  queryKey: queryKeys.activity,
  queryFn: ({ pageParam, signal }) =>
    call(listActivity, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})

export function ActivityPanel() {
  const query = useInfiniteQuery(activityQuery)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Card
      title={t`Recent activity`}
      description={t`Your devices, and the islands that you host or have joined.`}
    >
      <LoadedList
        of={t`What happened`}
        query={query}
        isEmpty={items.length === 0}
        skeleton={<SkeletonRows label={t`Loading what happened…`} count={5} />}
        empty={
          <EmptyState icon={<Orbit aria-hidden />} title={t`Nothing has happened yet`}>
            <p>
              <Trans>
                Here you see when your devices come online or go offline, and what happens on your
                islands.
              </Trans>
            </p>
            <LinkButton to={paths.connect()} variant="outline" size="sm">
              <Trans>Connect a device</Trans>
            </LinkButton>
          </EmptyState>
        }
        more={t`Show earlier`}
      >
        <DayList items={items} heading="h3">
          {(item) => <ActivityLine key={`${item.type}-${item.id}`} item={item} />}
        </DayList>
      </LoadedList>
    </Card>
  )
}

function ActivityLine({ item }: { item: ActivityItem }) {
  if (item.type === 'log') return <LogLine island={item.island} entry={item.entry} />
  const { device, status, at } = item
  const name = <NameLink to={paths.device(device.id)}>{device.label}</NameLink>
  const happenings = {
    online: <Trans>{name} came online</Trans>,
    offline: <Trans>{name} went offline</Trans>,
    unknown: <Trans>{name} has not reported</Trans>,
  }
  return (
    <HappeningLine
      sign={
        <svg aria-hidden viewBox="0 0 12 12" className="size-3" fill="none">
          <StatusMark status={status} />
        </svg>
      }
      happening={happenings[status]}
      at={at}
    />
  )
}
