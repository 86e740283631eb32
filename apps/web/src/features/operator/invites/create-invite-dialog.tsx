import { createInvite } from '@astropelago/contract/invites'
import { inviteDaysMax, inviteUsesMax, labelMaxLength } from '@astropelago/contract/limits'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AtTime } from '../at-time.tsx'
import { useAfterAction } from '../operator-query.ts'

/** Creates an invite, and shows its link only once. */
export function CreateInviteDialog({ onClose }: { onClose: () => void }) {
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
        title="The invite is made"
        description={
          <>
            {maxUses === 1 ? 'One account' : `${maxUses.toLocaleString('en')} accounts`} can be made
            by this link until <AtTime at={expiresAt} />. It is not shown again.
          </>
        }
      >
        <CodeBlock label="Link to register" text={link} />
        <Button className="self-start" onClick={onClose}>
          Done
        </Button>
      </Dialog>
    )
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Make an invite"
      description="Everybody who has the link can make an account, as often and for as long as you choose."
    >
      <form {...form.wiring} className="flex flex-col gap-5">
        <TextField
          label="Note"
          optional
          hint="Only operators see it. For example: who it is for."
          autoComplete="off"
          maxLength={labelMaxLength}
          {...form.text('note')}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Accounts"
            inputMode="numeric"
            autoComplete="off"
            {...form.text('uses')}
          />
          <TextField label="Days" inputMode="numeric" autoComplete="off" {...form.text('days')} />
        </div>
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={form.isBusy}>
            Make it
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function numberProblem(text: string, max: number): string | false {
  const isFine = /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max
  return !isFine && `A whole number from 1 to ${max}.`
}
