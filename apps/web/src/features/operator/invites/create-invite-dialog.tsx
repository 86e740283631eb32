import { createInvite } from '@astropelago/contract/invites'
import { inviteDaysMax, inviteUsesMax, labelMaxLength } from '@astropelago/contract/limits'
import { type FormEvent, useState } from 'react'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { AtTime } from '../at-time.tsx'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useAction } from '../operator-query.ts'

/** Creates an invite, and shows its link only once. */
export function CreateInviteDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({ note: '', uses: '1', days: '7' })
  const [wasTried, setWasTried] = useState(false)
  const making = useAction({
    act: () =>
      call(createInvite, {
        body: { note: draft.note, uses: Number(draft.uses), days: Number(draft.days) },
      }),
  })
  const found = {
    ...numberError('uses', draft.uses, inviteUsesMax),
    ...numberError('days', draft.days, inviteDaysMax),
  }
  const errors: Readonly<Record<string, string>> = {
    ...fieldErrors(making.error),
    ...(wasTried && found),
  }

  const make = (event: FormEvent) => {
    event.preventDefault()
    setWasTried(true)
    if (Object.keys(found).length === 0) making.mutate()
  }

  if (making.data !== undefined) {
    const { link, expiresAt, maxUses } = making.data
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
      <form onSubmit={make} noValidate className="flex flex-col gap-5">
        <TextField
          label="Note"
          optional
          hint="Only operators see it. For example: who it is for."
          error={errors['note']}
          autoComplete="off"
          maxLength={labelMaxLength}
          value={draft.note}
          onChange={(text) => setDraft({ ...draft, note: text })}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label="Accounts"
            error={errors['uses']}
            inputMode="numeric"
            autoComplete="off"
            value={draft.uses}
            onChange={(text) => setDraft({ ...draft, uses: text })}
          />
          <TextField
            label="Days"
            error={errors['days']}
            inputMode="numeric"
            autoComplete="off"
            value={draft.days}
            onChange={(text) => setDraft({ ...draft, days: text })}
          />
        </div>
        <FormError>
          {Object.keys(fieldErrors(making.error)).length > 0
            ? undefined
            : failureText(making.error)}
        </FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={making.isPending}>
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

function numberError(name: string, text: string, max: number): Readonly<Record<string, string>> {
  const isFine = /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max
  return isFine ? {} : { [name]: `A whole number from 1 to ${max}.` }
}
