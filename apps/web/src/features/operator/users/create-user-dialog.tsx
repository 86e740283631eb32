import { createUser } from '@astropelago/contract/operator'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { paths } from '../../../paths.ts'
import { useAfterAction } from '../operator-query.ts'

/** Creates an account, with a code for its user to set a password. */
export function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const after = useAfterAction()
  const form = useApiForm({
    values: { username: '' },
    read: ({ username }) => readBy(createUser.body, { username: username.trim() }),
    send: (body) => call(createUser, { body }),
    onSent: ({ username }) => {
      after(`The account ${username} is made`)
      onClose()
      void navigate(paths.mothership('users', { user: username }))
    },
    fieldOf: { invalid_username: 'username', username_taken: 'username' },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Make an account"
      description="It has no password yet. Make a password code and give it to its user, who then sets a password."
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label="Username"
          hint="3 to 32 letters, digits, - and _."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          {...form.text('username')}
        />
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
