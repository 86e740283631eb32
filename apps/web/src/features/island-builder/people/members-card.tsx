import type { Block, Member } from '@astropelago/contract/island-members'
import { membersPerIsland } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import Users from 'virtual:icon/users'
import { blocksQuery, useBlockChanges } from '../../../islands/people-queries.ts'
import { membersQuery, useRemoveMember } from '../../../islands/people-queries.ts'
import { formatNumber } from '../../../language/format.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { PersonName } from '../../../ui/person-name.tsx'
import { RemovableItem } from '../../../ui/removable-item.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Card } from '../../../ui/card.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { verbatimInput } from '../../../ui/verbatim-input.ts'

export function MembersCard({ islandId }: { islandId: string }) {
  const query = useInfiniteQuery(membersQuery(islandId))
  const nowMs = useNow()
  const pages = query.data?.pages ?? []
  const members = pages.flatMap((page) => page.members)
  const total = pages.at(-1)?.total
  const count = total !== undefined && formatNumber(total)
  const most = formatNumber(membersPerIsland)
  return (
    <ListCard
      title={count ? t`Members (${count})` : t`Members`}
      description={t`The people you let in. The newest come first. An island can have up to ${most}.`}
      of={t`Your members`}
      query={query}
      isEmpty={members.length === 0}
      skeleton={<Skeleton className="h-32 w-full rounded-control" />}
      empty={
        <EmptyState icon={<Users aria-hidden />} title={t`Nobody yet`}>
          <Trans>Send an invitation, or let people in who ask.</Trans>
        </EmptyState>
      }
      failure={<ListFailure query={query} of="members" />}
    >
      <ul aria-label={t`Members`} className="flex min-w-0 flex-col border-y border-line">
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
    onSuccess: () => showToast({ title: t`${username} is no longer a member` }),
  })
  const blocking = useBlocking(islandId)
  return (
    <RemovableItem error={failureText(removing.error ?? blocking.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
          <PersonName {...member} />
          <span className="text-xs text-muted">
            <Trans>
              joined <TimeAgo at={joinedAt} nowMs={nowMs} />
            </Trans>
          </span>
        </div>
        <AskFirst
          label={t`Remove`}
          name={t`Remove ${username}`}
          keep={t`Keep`}
          confirm={t`Remove member`}
          busy={removing.isPending}
          onConfirm={() => removing.mutate(username)}
        >
          <Trans>{username} is no longer a member, but can ask again or be invited again.</Trans>
        </AskFirst>
        <BlockButton username={username} blocking={blocking}>
          <Trans>
            {username} is no longer a member, and can’t join, ask or leave notes until you unblock
            them.
          </Trans>
        </BlockButton>
      </div>
    </RemovableItem>
  )
}

export function useBlocking(islandId: string) {
  const showToast = useToast()
  return useMutation({
    mutationFn: useBlockChanges(islandId).block,
    onSuccess: (_, username) => showToast({ title: t`${username} is blocked` }),
  })
}

interface BlockButtonProps {
  readonly username: string
  readonly blocking: ReturnType<typeof useBlocking>
  readonly children: ReactNode
}

export function BlockButton({ username, blocking, children }: BlockButtonProps) {
  return (
    <AskFirst
      label={t`Block`}
      name={t`Block ${username}`}
      keep={t`Don’t block`}
      confirm={t`Block`}
      busy={blocking.isPending}
      onConfirm={() => blocking.mutate(username)}
    >
      {children}
    </AskFirst>
  )
}

export function BlockedCard({ islandId }: { islandId: string }) {
  const query = useQuery(blocksQuery(islandId))
  const nowMs = useNow()
  const blocks = query.data ?? []
  return (
    <Card
      title={t`Blocked`}
      description={t`They can’t join, ask to join or leave notes. They see what a signed-out visitor sees.`}
    >
      {blocks.length > 0 && (
        <ul aria-label={t`Blocked`} className="flex min-w-0 flex-col border-y border-line">
          {blocks.map((block) => (
            <BlockedItem key={block.username} {...{ islandId, block, nowMs }} />
          ))}
        </ul>
      )}
      {blocks.length === 0 && query.isSuccess && (
        <p className="text-sm text-muted">
          <Trans>Nobody is blocked.</Trans>
        </p>
      )}
      <ListFailure query={query} of="blocked" />
      <BlockForm islandId={islandId} />
    </Card>
  )
}

function BlockedItem(props: { islandId: string; block: Block; nowMs: number }) {
  const { islandId, block, nowMs } = props
  const { username, at } = block
  const showToast = useToast()
  const unblocking = useMutation({
    mutationFn: useBlockChanges(islandId).unblock,
    onSuccess: () => showToast({ title: t`${username} is no longer blocked` }),
  })
  return (
    <RemovableItem error={failureText(unblocking.error ?? undefined)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <PersonName {...block} />
          <span className="text-xs text-muted">
            <Trans>
              blocked <TimeAgo at={at} nowMs={nowMs} />
            </Trans>
          </span>
        </div>
        <Button
          variant="outline"
          size="sm"
          aria-label={t`Unblock ${username}`}
          busy={unblocking.isPending}
          onClick={() => unblocking.mutate(username)}
        >
          <Trans>Unblock</Trans>
        </Button>
      </div>
    </RemovableItem>
  )
}

function BlockForm({ islandId }: { islandId: string }) {
  const showToast = useToast()
  const { block } = useBlockChanges(islandId)
  const form = useApiForm({
    values: { username: '' },
    read: ({ username }) =>
      readBy(v.string(), username.trim(), {
        username: username.trim() === '' && t`Enter a username`,
      }),
    send: async (username) => {
      await block(username)
      return username
    },
    onSent: (blocked) => showToast({ title: t`${blocked} is blocked` }),
    explain: (error) =>
      error instanceof ApiError && error.code === 'not_found'
        ? t`There is no Navigator with that name.`
        : failureText(error),
    onlyField: 'username',
  })
  return (
    <form
      {...form.wiring}
      aria-label={t`Block somebody`}
      className="flex flex-col items-start gap-4 sm:flex-row"
    >
      <TextField
        className="w-full sm:max-w-72"
        label={t`Username`}
        {...verbatimInput}
        {...form.text('username')}
      />
      <Button type="submit" variant="outline" busy={form.isBusy} className="sm:mt-7">
        <Trans>Block</Trans>
      </Button>
    </form>
  )
}
