import { createInvitation } from '@astropelago/contract/island-members'
import { invitationUsesMax } from '@astropelago/contract/limits'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { type ShownInvitation, useCreateInvitation } from '../../../islands/people-queries.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { SelectField } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const usesChoices = [
  { value: 1, name: 'Once' },
  { value: 5, name: '5 times' },
  { value: 25, name: '25 times' },
  { value: 100, name: '100 times' },
  { value: invitationUsesMax, name: `${invitationUsesMax} times` },
] as const

const daysChoices = [
  { value: 1, name: 'A day' },
  { value: 7, name: '7 days' },
  { value: 30, name: '30 days' },
  { value: 365, name: 'A year' },
] as const

interface NewInvitationProps {
  islandId: string
  onCreated: (invitation: ShownInvitation) => void
}

/** The form for a new invitation. */
export function NewInvitation({ islandId, onCreated }: NewInvitationProps) {
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
    <form {...form.wiring} aria-label="New invitation" className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_auto_auto]">
        <TextField
          label="Note"
          optional
          hint="Only you see it. For example: who it is for."
          autoComplete="off"
          {...form.text('note')}
        />
        <SelectField
          label="Can be used"
          className="sm:w-36"
          options={usesChoices}
          {...form.text('uses')}
        />
        <SelectField
          label="Ends after"
          className="sm:w-32"
          options={daysChoices}
          {...form.text('days')}
        />
      </div>
      <FormError>{form.failure}</FormError>
      <div>
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Making…' : 'Make an invitation'}
        </Button>
      </div>
    </form>
  )
}
