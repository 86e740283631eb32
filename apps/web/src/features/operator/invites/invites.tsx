import { type Invite, listInvites, revokeInvite } from '@astropelago/contract/invites'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import Ticket from 'virtual:icon/ticket'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { AtTime } from '../at-time.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { OperatorList } from '../operator-list.tsx'
import { operatorKey, useAction } from '../operator-query.ts'
import { CreateInviteDialog } from './create-invite-dialog.tsx'

function useInvites() {
  return useQuery({
    queryKey: [operatorKey, 'invites'],
    queryFn: ({ signal }) => call(listInvites, { signal }),
  })
}

/** The open dialog, and its invite. */
type Opened =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'withdraw'; readonly invite: Invite }

/** The links with which people can register if registration requires an invite. */
export function Invites() {
  const titleId = useId()
  const query = useInvites()
  const [opened, setOpened] = useState<Opened>()
  const invites = query.data ?? []
  const close = () => setOpened(undefined)
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Invites"
        description="With these links people can make an account when registration needs an invite."
      >
        <Button onClick={() => setOpened({ dialog: 'create' })}>Make an invite</Button>
      </CardHeader>
      <OperatorList
        of="The invites"
        query={query}
        isEmpty={invites.length === 0}
        empty={
          <EmptyState icon={<Ticket aria-hidden />} title="There are no invites">
            <p>Make one and send its link to people that you want here.</p>
          </EmptyState>
        }
      >
        <ul aria-label="Invites" className="flex flex-col">
          {invites.map((invite) => (
            <InviteItem
              key={invite.id}
              invite={invite}
              nowMs={query.dataUpdatedAt}
              onWithdraw={() => setOpened({ dialog: 'withdraw', invite })}
            />
          ))}
        </ul>
      </OperatorList>
      {opened?.dialog === 'create' && <CreateInviteDialog onClose={close} />}
      {opened?.dialog === 'withdraw' && <WithdrawDialog invite={opened.invite} onClose={close} />}
    </Card>
  )
}

function nameOf({ note }: Invite): string {
  return note ?? 'Invite without a note'
}

interface InviteItemProps {
  readonly invite: Invite
  readonly nowMs: number
  readonly onWithdraw: () => void
}

function InviteItem({ invite, nowMs, onWithdraw }: InviteItemProps) {
  const { uses, maxUses, createdBy, createdAt, expiresAt } = invite
  const isOver = Date.parse(expiresAt) <= nowMs
  const state = isOver ? 'Over' : uses >= maxUses ? 'Used up' : 'Works'
  return (
    <li className="flex min-w-0 flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line py-4 first:pt-0 last:border-0 last:pb-0">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          <bdi>{nameOf(invite)}</bdi>
        </h3>
        <p className="text-xs text-muted" data-numeric>
          <span className="font-medium text-ink">{state}</span>, used {uses} of {maxUses}{' '}
          {maxUses === 1 ? 'time' : 'times'}, {isOver ? 'ended' : 'ends'} <AtTime at={expiresAt} />
        </p>
        <p className="text-xs text-muted">
          Made by {createdBy}, <AtTime at={createdAt} />
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={`Withdraw ${nameOf(invite)}`}
        onClick={onWithdraw}
      >
        Withdraw
      </Button>
    </li>
  )
}

function WithdrawDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const { id, uses } = invite
  const running = useAction({
    act: () => call(revokeInvite, { params: { id } }),
    done: () => 'The invite is withdrawn',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Withdraw this invite?"
      action="Withdraw it"
      isDestructive
      running={running}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{nameOf(invite)}</bdi>: its link stops
      working at once. {uses > 0 && 'People who registered with it stay.'}
    </ConfirmDialog>
  )
}
