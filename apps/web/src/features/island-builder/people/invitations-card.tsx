import { createInvitation, type Invitation } from '@astropelago/contract/island-members'
import { invitationsPerIsland, invitationUsesMax } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import MailPlus from 'virtual:icon/mail-plus'
import { failureText } from '../../../lib/failure-text.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import {
  invitationsQuery,
  type ShownInvitation,
  useCreateInvitation,
  useRevokeInvitation,
} from '../../../islands/people-queries.ts'
import { formatNumber } from '../../../language/format.ts'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { RemovableItem } from '../../../ui/removable-item.tsx'

export function InvitationsCard({ islandId }: { islandId: string }) {
  const query = useQuery(invitationsQuery(islandId))
  const nowMs = useNow()
  const [shown, setShown] = useState<ShownInvitation>()
  const { data: invitations = [] } = query
  return (
    <ListCard
      title={t`Invitations`}
      description={t`Everybody who opens the link of an invitation can become a member. You choose how often it works and for how long.`}
      of={t`Your invitations`}
      query={query}
      isEmpty={invitations.length === 0}
      skeleton={<Skeleton className="h-24 w-full rounded-control" />}
      empty={
        <EmptyState icon={<MailPlus aria-hidden />} title={t`No invitation yet`}>
          <Trans>Make one and send its link to the people you want to invite.</Trans>
        </EmptyState>
      }
      failure={<ListFailure query={query} of="invitations" />}
      footer={
        <>
          {/* The link of a revoked invitation doesn't work, so it disappears. */}
          {shown && invitations.some(({ id }) => id === shown.id) && (
            <ShownLink key={shown.id} invitation={shown} />
          )}
          {invitations.length >= invitationsPerIsland ? (
            <p className="text-sm text-muted">
              <Trans>
                An island can’t have more invitations than this. Revoke one to make another.
              </Trans>
            </p>
          ) : (
            query.isSuccess && <NewInvitation islandId={islandId} onCreated={setShown} />
          )}
        </>
      }
    >
      <ul aria-label={t`Invitations`} className="flex min-w-0 flex-col border-y border-line">
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.id} {...{ islandId, invitation, nowMs }} />
        ))}
      </ul>
    </ListCard>
  )
}

function InvitationItem(props: { islandId: string; invitation: Invitation; nowMs: number }) {
  const { islandId, invitation, nowMs } = props
  const { id, note, uses, maxUses, createdAt, expiresAt } = invitation
  const name = note ?? t`Without a note`
  const showToast = useToast()
  const revoking = useRevokeInvitation(islandId, () => showToast({ title: t`Invitation revoked` }))
  const isUsedUp = uses >= maxUses
  const used = formatNumber(uses)
  const most = formatNumber(maxUses)
  const isOver = Date.parse(expiresAt) <= nowMs
  return (
    <RemovableItem error={failureText(revoking.error)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
          <bdi
            className={note === null ? 'text-sm text-muted' : 'text-sm font-medium wrap-anywhere'}
          >
            {name}
          </bdi>
          <span className="text-xs text-muted">
            <span data-numeric>
              {isUsedUp ? t`Used up: ${used} of ${most}` : t`Used: ${used} of ${most}`}
            </span>
            {' · '}
            <Trans>
              made <TimeAgo at={createdAt} nowMs={nowMs} />
            </Trans>
            {' · '}
            {isOver ? (
              t`too old, it no longer works`
            ) : (
              <Trans>
                ends on <LocalTime at={expiresAt} form="long" />
              </Trans>
            )}
          </span>
        </div>
        <AskFirst
          label={t`Revoke`}
          name={t`Revoke ${name}`}
          keep={t`Keep it`}
          confirm={t`Revoke invitation`}
          busy={revoking.isPending}
          onConfirm={() => revoking.mutate(id)}
        >
          <Trans>Its link stops working. People who already joined with it stay members.</Trans>
        </AskFirst>
      </div>
    </RemovableItem>
  )
}

function ShownLink({ invitation: { link } }: { invitation: ShownInvitation }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Copying the link is the next thing to do.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <h3 ref={heading} tabIndex={-1} className="rounded-mark text-sm font-medium">
        <Trans>Copy the link now. It is shown only once.</Trans>
      </h3>
      <CodeBlock label={t`Invitation link`} text={link} />
    </div>
  )
}

const usesChoices = [
  { value: 1, name: t`Once` },
  ...[5, 25, 100, invitationUsesMax].map((value) => ({
    value,
    name: plural(value, { one: '# time', other: '# times' }),
  })),
]

const daysChoices = [
  { value: 1, name: t`A day` },
  ...[7, 30].map((value) => ({ value, name: plural(value, { one: '# day', other: '# days' }) })),
  { value: 365, name: t`A year` },
]

function NewInvitation(props: {
  islandId: string
  onCreated: (invitation: ShownInvitation) => void
}) {
  const { islandId, onCreated } = props
  const form = useApiForm({
    values: { note: '', uses: '1', days: '7' },
    read: ({ note, uses, days }) =>
      readBy(createInvitation.body, {
        uses: Number(uses),
        days: Number(days),
        note: note.trim() === '' ? null : note,
      }),
    send: useCreateInvitation(islandId),
    onSent: onCreated,
    keeps: ['uses', 'days'],
  })
  return (
    <form {...form.wiring} aria-label={t`New invitation`} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_auto_auto]">
        <TextField
          label={t`Note`}
          optional
          hint={t`Only you see it. For example: who it is for.`}
          autoComplete="off"
          {...form.text('note')}
        />
        <SelectField
          label={t`Can be used`}
          className="sm:w-36"
          options={usesChoices}
          {...form.text('uses')}
        />
        <SelectField
          label={t`Ends after`}
          className="sm:w-32"
          options={daysChoices}
          {...form.text('days')}
        />
      </div>
      <FormActions form={form} size="sm" submit={t`Make an invitation`} busy={t`Making…`} />
    </form>
  )
}
