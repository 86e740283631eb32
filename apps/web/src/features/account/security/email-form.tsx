import { changeEmail, type OwnEmail } from '@astropelago/contract/email'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { accountFailure } from '../account-failure.ts'
import { useChangeEmail } from './own-email.ts'

interface EmailFormProps {
  isRemoval: boolean
  initial: string
  onChanged: (email: OwnEmail) => void
  onClose: () => void
}

/** Changes or removes the address. The password confirms that the request comes from the user. */
export function EmailForm({ isRemoval, initial, onChanged, onClose }: EmailFormProps) {
  const form = useApiForm({
    values: { address: initial, password: '' },
    read: ({ address, password }) =>
      readBy(
        changeEmail.body,
        { address: isRemoval ? null : address.trim(), password },
        { password: password === '' && 'Enter your password' },
      ),
    send: useChangeEmail(),
    onSent: onChanged,
    explain: accountFailure,
    fieldOf: { wrong_password: 'password' },
    takesFocus: true,
  })
  return (
    <form
      {...form.wiring}
      aria-label={isRemoval ? 'Remove the e-mail address' : 'New e-mail address'}
      className="flex flex-col gap-4"
    >
      {isRemoval ? (
        <p className="text-sm text-muted">
          Without an address, only whoever runs this server can help you if you lose your password.
        </p>
      ) : (
        <TextField
          label="New address"
          hint="We send a link there. The address is confirmed when you open it."
          type="email"
          autoComplete="email"
          spellCheck={false}
          {...form.text('address')}
          name="email"
        />
      )}
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        {...form.text('password')}
      />
      <FormError>{form.failure}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          size="sm"
          variant={isRemoval ? 'destructive' : 'default'}
          busy={form.isBusy}
        >
          {isRemoval ? 'Remove address' : form.isBusy ? 'Sending…' : 'Send the link'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
