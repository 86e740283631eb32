import type { JoinRequest } from '@astropelago/contract/island-members'
import { useMutation, useQuery } from '@tanstack/react-query'
import { DoorOpen } from 'lucide-react'
import { useRef } from 'react'
import { failureText } from '../../../lib/failure-text.ts'
import { useBlockChanges } from '../../../lib/islands/blocks-query.ts'
import {
  joinRequestsQuery,
  useAnswerJoinRequest,
} from '../../../lib/islands/join-requests-query.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../devices/list-failure.tsx'
import { TimeAgo } from '../../devices/time-ago.tsx'
import { useNow } from '../../devices/use-now.ts'
import { PersonName } from './person-name.tsx'
import { useFocusPassedOn } from './use-focus-passed-on.ts'

const clockMs = 30_000
const headingId = 'requests-heading'

/** Who asks to be let in. */
export function RequestsCard({ islandId }: { islandId: string }) {
  const query = useQuery(joinRequestsQuery(islandId))
  const nowMs = useNow(clockMs)
  const { data: requests = [] } = query
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Requests"
        description="Navigators who ask to be let in. Who waits longest comes first."
      />
      {query.isPending && <Skeleton className="h-24 w-full rounded-control" />}
      {query.isSuccess && requests.length === 0 && (
        <EmptyState icon={<DoorOpen aria-hidden />} title="Nobody is waiting">
          Who may know of your island, but not enter, can ask here.
        </EmptyState>
      )}
      {requests.length > 0 && (
        <ul aria-label="Requests" className="flex min-w-0 flex-col border-y border-line">
          {requests.map((request) => (
            <RequestItem key={request.username} {...{ islandId, request, nowMs }} />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="requests" />
    </Card>
  )
}

interface RequestItemProps {
  islandId: string
  request: JoinRequest
  nowMs: number
}

function RequestItem({ islandId, request, nowMs }: RequestItemProps) {
  const { username, text, at } = request
  const showToast = useToast()
  const item = useRef<HTMLLIElement>(null)
  const answering = useAnswerJoinRequest(islandId, ({ isLetIn }) =>
    showToast({ title: isLetIn ? `${username} is a member now` : `${username} is not let in` }),
  )
  const blocking = useMutation({
    mutationFn: useBlockChanges(islandId).block,
    onSuccess: () => showToast({ title: `${username} is blocked` }),
  })
  useFocusPassedOn(item)
  return (
    <li ref={item} className="flex min-w-0 flex-col gap-3 border-b border-line py-4 last:border-0">
      <div className="flex min-w-0 flex-col gap-0.5">
        <PersonName {...request} />
        <span className="text-xs text-muted">
          asked <TimeAgo at={at} nowMs={nowMs} />
        </span>
      </div>
      {text !== '' && (
        <p className="border-l-2 border-line-strong pl-3 text-sm wrap-anywhere whitespace-pre-line text-ink">
          <bdi>{text}</bdi>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          aria-label={`Let ${username} in`}
          busy={answering.isPending && answering.variables.isLetIn}
          disabled={answering.isPending}
          onClick={() => answering.mutate({ username, isLetIn: true })}
        >
          Let in
        </Button>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Don’t let ${username} in`}
          busy={answering.isPending && !answering.variables.isLetIn}
          disabled={answering.isPending}
          onClick={() => answering.mutate({ username, isLetIn: false })}
        >
          Not now
        </Button>
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
      </div>
      <FormError>{failureText(answering.error ?? blocking.error)}</FormError>
    </li>
  )
}
