import type { Member } from '@astropelago/contract/island-members'
import { membersPerIsland } from '@astropelago/contract/limits'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import Users from 'virtual:icon/users'
import { failureText } from '../../../lib/failure-text.ts'
import { membersQuery, useRemoveMember } from '../../../islands/members-query.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { PersonName } from '../../../ui/person-name.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { BlockButton, useBlocking } from './block-button.tsx'

const clockMs = 30_000

/** Users whom the host let in. */
export function MembersCard({ islandId }: { islandId: string }) {
  const query = useInfiniteQuery(membersQuery(islandId))
  const nowMs = useNow(clockMs)
  const pages = query.data?.pages ?? []
  const members = pages.flatMap((page) => page.members)
  const total = pages.at(-1)?.total
  return (
    <ListCard
      title={total === undefined ? 'Members' : `Members (${total})`}
      description={`The people you let in. The newest come first. An island can have up to ${membersPerIsland}.`}
      of="Your members"
      query={query}
      isEmpty={members.length === 0}
      skeleton={<Skeleton className="h-32 w-full rounded-control" />}
      empty={
        <EmptyState icon={<Users aria-hidden />} title="Nobody yet">
          Send an invitation, or let people in who ask.
        </EmptyState>
      }
      failure={<ListFailure query={query} of="members" />}
    >
      <ul aria-label="Members" className="flex min-w-0 flex-col border-y border-line">
        {members.map((member) => (
          <MemberItem key={member.username} {...{ islandId, member, nowMs }} />
        ))}
      </ul>
    </ListCard>
  )
}

function MemberItem(props: { islandId: string; member: Member; nowMs: number }) {
  const { islandId, member, nowMs } = props
  const { username, joinedAt } = member
  const showToast = useToast()
  const removing = useMutation({
    mutationFn: useRemoveMember(islandId),
    onSuccess: () => showToast({ title: `${username} is no longer a member` }),
  })
  const blocking = useBlocking(islandId)
  return (
    <RemovableItem error={failureText(removing.error ?? blocking.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
          <PersonName {...member} />
          <span className="text-xs text-muted">
            joined <TimeAgo at={joinedAt} nowMs={nowMs} />
          </span>
        </div>
        <AskFirst
          label="Remove"
          name={`Remove ${username}`}
          keep="Keep"
          confirm="Remove member"
          busy={removing.isPending}
          onConfirm={() => removing.mutate(username)}
        >
          {username} is no longer a member, but can ask again or be invited again.
        </AskFirst>
        <BlockButton username={username} blocking={blocking}>
          {username} is no longer a member, and can’t join, ask or leave notes until you unblock
          them.
        </BlockButton>
      </div>
    </RemovableItem>
  )
}
