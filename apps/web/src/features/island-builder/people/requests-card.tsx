import type { JoinRequest } from '@astropelago/contract/island-members'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import DoorOpen from 'virtual:icon/door-open'
import { joinRequestsQuery } from '../../../islands/people-queries.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { JoinRequestItem } from '../../../islands/join-request-item.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { BlockButton, useBlocking } from './members-card.tsx'

export function RequestsCard({ islandId }: { islandId: string }) {
  const query = useQuery(joinRequestsQuery(islandId))
  const { data: requests = [] } = query
  return (
    <ListCard
      title={t`Requests`}
      description={t`People who asked to join. The oldest requests come first.`}
      of={t`Your requests`}
      query={query}
      isEmpty={requests.length === 0}
      skeleton={<Skeleton className="h-24 w-full rounded-control" />}
      empty={
        <EmptyState icon={<DoorOpen aria-hidden />} title={t`Nobody is waiting`}>
          <Trans>
            People who see your island but may not enter can ask to join. You see their requests
            here.
          </Trans>
        </EmptyState>
      }
      failure={<ListFailure query={query} of="requests" />}
    >
      <ul aria-label={t`Requests`} className="flex min-w-0 flex-col border-y border-line">
        {requests.map((request) => (
          <RequestItem key={request.username} {...{ islandId, request }} />
        ))}
      </ul>
    </ListCard>
  )
}

function RequestItem({ islandId, request }: { islandId: string; request: JoinRequest }) {
  const { username } = request
  const blocking = useBlocking(islandId)
  return (
    <JoinRequestItem islandId={islandId} request={request} error={blocking.error}>
      <BlockButton username={username} blocking={blocking}>
        <Trans>{username} can’t join, ask or leave notes until you unblock them.</Trans>
      </BlockButton>
    </JoinRequestItem>
  )
}
