import type { JoinRequest } from '@astropelago/contract/island-members'
import type { OwnIsland } from '@astropelago/contract/islands'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import {
  joinRequestsQuery,
  useAnswerJoinRequest,
} from '../../../lib/islands/join-requests-query.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/use-toast.ts'

/** Who waits to be let in to an island, answered here. */
export function WaitingRequests({ island }: { island: OwnIsland }) {
  const query = useQuery(joinRequestsQuery(island.id))
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      {query.data === undefined && query.error === null && (
        <Skeleton className="h-10 w-full rounded-mark" />
      )}
      {query.data !== undefined && (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label={`Requests to join ${island.name}`}
          className="flex flex-col gap-3 outline-none"
        >
          {query.data.map((request) => (
            <WaitingRequest
              key={request.username}
              islandId={island.id}
              request={request}
              // What had the focus goes with the request.
              onAnswered={() => list.current?.focus({ preventScroll: true })}
            />
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
  onAnswered: () => void
}

function WaitingRequest({ islandId, request, onAnswered }: WaitingRequestProps) {
  const { username, name, text, at } = request
  const showToast = useToast()
  const answering = useAnswerJoinRequest(islandId, ({ isLetIn }) => {
    showToast({ title: isLetIn ? `${username} is a member now` : `${username} was not let in` })
    onAnswered()
  })
  const answer = (isLetIn: boolean) => answering.mutate({ username, isLetIn })
  return (
    <li className="flex min-w-0 flex-col gap-2 border-t border-line pt-3">
      <p className="flex flex-wrap items-baseline gap-x-2.5">
        <bdi className="min-w-0 font-medium wrap-anywhere">{username}</bdi>
        {name !== null && <bdi className="min-w-0 wrap-anywhere text-muted">{name}</bdi>}
        <span className="text-xs text-muted">
          <LocalTime at={at} />
        </span>
      </p>
      {text !== '' && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere text-muted">
          {text}
        </p>
      )}
      <FormError>{failureText(answering.error)}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={`Let ${username} in`}
          disabled={answering.isPending}
          onClick={() => answer(true)}
        >
          Let in
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Turn ${username} down`}
          disabled={answering.isPending}
          onClick={() => answer(false)}
        >
          Turn down
        </Button>
      </div>
    </li>
  )
}
