import { updateMe } from '@astropelago/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { showUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { accountFailure } from '../account-failure.ts'

interface NameFormProps {
  name: string
  onClose: () => void
}

/** Changes the display name. A blank name removes it. */
export function NameForm({ name: current, onClose }: NameFormProps) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { name: current },
    read: ({ name }) => readBy(updateMe.body, { name: name.trim() || null }),
    send: (body) => call(updateMe, { body }),
    onSent: ({ user }) => {
      showUser(client, user)
      showToast({ title: 'Display name saved' })
      onClose()
    },
    explain: accountFailure,
    onlyField: 'name',
    takesFocus: true,
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-4">
      <TextField
        label="Display name"
        optional
        hint="Shown next to your username. You can leave it empty."
        autoComplete="name"
        {...form.text('name')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save name'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
