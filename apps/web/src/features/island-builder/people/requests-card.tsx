import type { JoinRequest } from '@astropelago/contract/island-members'
import { useMutation, useQuery } from '@tanstack/react-query'
import DoorOpen from 'virtual:icon/door-open'
import { joinRequestsQuery, useBlockChanges } from '../../../islands/people-queries.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { JoinRequestItem } from '../../../islands/join-request-item.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'

const headingId = 'requests-heading'

/** Users who ask to join. */
export function RequestsCard({ islandId }: { islandId: string }) {
  const query = useQuery(joinRequestsQuery(islandId))
  const { data: requests = [] } = query
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Requests"
        description="People who asked to join. The oldest requests come first."
      />
      <LoadedList
        of="Your requests"
        query={query}
        isEmpty={requests.length === 0}
        skeleton={<Skeleton className="h-24 w-full rounded-control" />}
        empty={
          <EmptyState icon={<DoorOpen aria-hidden />} title="Nobody is waiting">
            People who see your island but may not enter can ask to join. You see their requests
            here.
          </EmptyState>
        }
        failure={<ListFailure query={query} of="requests" />}
      >
        <ul aria-label="Requests" className="flex min-w-0 flex-col border-y border-line">
          {requests.map((request) => (
            <RequestItem key={request.username} {...{ islandId, request }} />
          ))}
        </ul>
      </LoadedList>
    </Card>
  )
}

interface RequestItemProps {
  islandId: string
  request: JoinRequest
}

function RequestItem({ islandId, request }: RequestItemProps) {
  const { username } = request
  const showToast = useToast()
  const blocking = useMutation({
    mutationFn: useBlockChanges(islandId).block,
    onSuccess: () => showToast({ title: `${username} is blocked` }),
  })
  return (
    <JoinRequestItem islandId={islandId} request={request} error={blocking.error}>
      <AskFirst
        label="Block"
        name={`Block ${username}`}
        keep="Don’t block"
        confirm="Block"
        busy={blocking.isPending}
        onConfirm={() => blocking.mutate(username)}
      >
        {username} can’t join, ask or leave notes until you unblock them.
      </AskFirst>
    </JoinRequestItem>
  )
}
