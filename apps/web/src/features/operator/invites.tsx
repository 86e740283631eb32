import { createInvite, type Invite, listInvites, revokeInvite } from '@astropelago/contract/invites'
import { inviteDaysMax, inviteUsesMax, labelMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import Ticket from 'virtual:icon/ticket'
import { formatNumber } from '../../language/format.ts'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ActionButton, DialogButton } from './action-button.tsx'
import { AtTime } from './at-time.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { operatorKey, useAfterAction } from './operator-query.ts'
import { listItemStyles, SubjectName } from './subject-details.tsx'

/** The links with which people can register if registration requires an invite. */
export function Invites() {
  const query = useQuery({
    queryKey: [operatorKey, 'invites'],
    queryFn: ({ signal }) => call(listInvites, { signal }),
  })
  const invites = query.data ?? []
  return (
    <OperatorListCard
      of={t`The invites`}
      title={t`Invites`}
      description={t`With these links people can make an account when registration needs an invite.`}
      actions={
        <DialogButton
          variant="default"
          renderDialog={(close) => <CreateInviteDialog onClose={close} />}
        >
          <Trans>Make an invite</Trans>
        </DialogButton>
      }
      query={query}
      isEmpty={invites.length === 0}
      empty={
        <EmptyState icon={<Ticket aria-hidden />} title={t`There are no invites`}>
          <p>
            <Trans>Make one and send its link to people that you want here.</Trans>
          </p>
        </EmptyState>
      }
    >
      <ul aria-label={t`Invites`} className="flex flex-col">
        {invites.map((invite) => (
          <InviteItem key={invite.id} invite={invite} nowMs={query.dataUpdatedAt} />
        ))}
      </ul>
    </OperatorListCard>
  )
}

function InviteItem({ invite, nowMs }: { invite: Invite; nowMs: number }) {
  const { id, note, uses, maxUses, createdBy, createdAt, expiresAt } = invite
  const name = note ?? t`Invite without a note`
  const isOver = Date.parse(expiresAt) <= nowMs
  const state = isOver ? t`Over` : uses >= maxUses ? t`Used up` : t`Works`
  const used = formatNumber(uses)
  return (
    <li className={`${listItemStyles} items-center! py-4`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <p className="text-xs text-muted" data-numeric>
          {isOver ? (
            <Trans>
              <span className="font-medium text-ink">{state}</span>, used {used} of{' '}
              <Plural value={maxUses} one="# time" other="# times" />, ended{' '}
              <AtTime at={expiresAt} />
            </Trans>
          ) : (
            <Trans>
              <span className="font-medium text-ink">{state}</span>, used {used} of{' '}
              <Plural value={maxUses} one="# time" other="# times" />, ends{' '}
              <AtTime at={expiresAt} />
            </Trans>
          )}
        </p>
        <p className="text-xs text-muted">
          <Trans>
            Made by {createdBy}, <AtTime at={createdAt} />
          </Trans>
        </p>
      </div>
      <ActionButton
        label={t`Withdraw`}
        name={t`Withdraw ${name}`}
        size="sm"
        title={t`Withdraw this invite?`}
        action={t`Withdraw it`}
        isDestructive
        act={() => call(revokeInvite, { params: { id } })}
        done={t`The invite is withdrawn`}
      >
        <Trans>
          <SubjectName>{name}</SubjectName>: its link stops working at once.
        </Trans>{' '}
        {uses > 0 && t`People who registered with it stay.`}
      </ActionButton>
    </li>
  )
}

/** Creates an invite, and shows its link only once. */
function CreateInviteDialog({ onClose }: { onClose: () => void }) {
  const after = useAfterAction()
  const form = useApiForm({
    values: { note: '', uses: '1', days: '7' },
    read: ({ note, uses, days }) =>
      readBy(
        createInvite.body,
        { note, uses: Number(uses), days: Number(days) },
        { uses: numberProblem(uses, inviteUsesMax), days: numberProblem(days, inviteDaysMax) },
      ),
    send: (body) => call(createInvite, { body }),
    onSent: () => after(),
  })

  if (form.answer !== undefined) {
    const { link, expiresAt, maxUses } = form.answer
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={t`The invite is made`}
        description={
          <Trans>
            <Plural value={maxUses} one="One account" other="# accounts" /> can be made by this link
            until <AtTime at={expiresAt} />. It is not shown again.
          </Trans>
        }
      >
        <CodeBlock label={t`Link to register`} text={link} />
        <Button className="self-start" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </Dialog>
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Make an invite`}
      description={t`Everybody who has the link can make an account, as often and for as long as you choose.`}
    >
      <form {...form.wiring} className="flex flex-col gap-5">
        <TextField
          label={t`Note`}
          optional
          hint={t`Only operators see it. For example: who it is for.`}
          autoComplete="off"
          maxLength={labelMaxLength}
          {...form.text('note')}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label={t`Accounts`}
            inputMode="numeric"
            autoComplete="off"
            {...form.text('uses')}
          />
          <TextField
            label={t`Days`}
            inputMode="numeric"
            autoComplete="off"
            {...form.text('days')}
          />
        </div>
        <FormActions form={form} submit={t`Make it`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function numberProblem(text: string, max: number): string | false {
  const isFine = /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max
  return !isFine && t`A whole number from 1 to ${max}.`
}
