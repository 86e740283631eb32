import type { JoinRequest } from '@astropelago/contract/island-members'
import type { OwnIsland } from '@astropelago/contract/islands'
import { useQuery } from '@tanstack/react-query'
import { failureText } from '../../../lib/failure-text.ts'
import { joinRequestsQuery, useAnswerJoinRequest } from '../../../islands/join-requests-query.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { JoinRequestItem } from '../../../islands/join-request-item.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** The requests to join an island, which the host can answer here. */
export function WaitingRequests({ island }: { island: OwnIsland }) {
  const query = useQuery(joinRequestsQuery(island.id))
  return (
    <>
      {query.data === undefined && query.error === null && (
        <Skeleton className="h-10 w-full rounded-mark" />
      )}
      {query.data !== undefined && (
        <ul
          aria-label={`Requests to join ${island.name}`}
          className="flex flex-col border-t border-line"
        >
          {query.data.map((request) => (
            <WaitingRequest key={request.username} islandId={island.id} request={request} />
          ))}
        </ul>
      )}
      {query.error !== null && (
        <ErrorLine busy={query.isFetching} onRetry={() => void query.refetch()}>
          The requests could not be loaded.
        </ErrorLine>
      )}
    </>
  )
}

interface WaitingRequestProps {
  islandId: string
  request: JoinRequest
}

function WaitingRequest({ islandId, request }: WaitingRequestProps) {
  const { username } = request
  const showToast = useToast()
  const answering = useAnswerJoinRequest(islandId, ({ isLetIn }) =>
    showToast({ title: isLetIn ? `${username} is a member now` : `${username} was not let in` }),
  )
  return (
    <JoinRequestItem
      request={request}
      sending={answering.isPending ? answering.variables : undefined}
      error={failureText(answering.error)}
      onAnswer={(isLetIn) => answering.mutate({ username, isLetIn })}
    />
  )
}
