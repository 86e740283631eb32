import { resetMailHours } from '@astropelago/contract/limits'
import { requestPasswordReset } from '@astropelago/contract/passwords'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { authFailureText } from '../../lib/auth-failure.ts'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'

const linkLife = new Intl.NumberFormat('en', {
  style: 'unit',
  unit: 'hour',
  unitDisplay: 'long',
}).format(resetMailHours)

interface LostPasswordProps {
  canSendMail: boolean
  onBack: () => void
  /** Called when the dialog has to close for the page that takes a code. */
  onLeave: () => void
}

/** How to get a reset code: by e-mail if the server can send it, else from the operator. */
export function LostPassword({ canSendMail, onBack, onLeave }: LostPasswordProps) {
  const first = useRef<HTMLDivElement>(null)
  // The focused element went with the form.
  useEffect(() => first.current?.querySelector<HTMLElement>('input, a')?.focus(), [])
  return (
    <div ref={first} className="flex flex-col gap-5">
      {canSendMail ? (
        <MailForm />
      ) : (
        <p className="text-sm">
          This server sends no e-mail. Ask whoever runs it for a code. It sets one new password.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Link
          to={paths.resetPassword()}
          onClick={onLeave}
          className={buttonStyles({ variant: canSendMail ? 'outline' : 'default' })}
        >
          I have a code
        </Link>
        <Button variant="ghost" onClick={onBack}>
          Back to sign-in
        </Button>
      </div>
    </div>
  )
}

function MailForm() {
  const form = useApiForm({
    values: { account: '' },
    read: ({ account }) =>
      readBy(
        requestPasswordReset.body,
        { account },
        { account: account.trim() === '' && 'Enter your username or your e-mail address' },
      ),
    send: (body) => call(requestPasswordReset, { body }),
    explain: authFailureText,
    keeps: ['account'],
    focusAfter: () => 'account',
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-5">
      <TextField
        label="Username or e-mail address"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('account')}
      />
      <FormError>{form.failure}</FormError>
      {/* Rendered before its text arrives, so that screen readers announce the text. */}
      <output className="text-sm empty:hidden">
        {form.isSent &&
          `If that account has a confirmed e-mail address, a link is on its way there. It works for ${linkLife}. Without such an address, ask whoever runs this server for a code.`}
      </output>
      <div>
        <Button type="submit" busy={form.isBusy}>
          {form.isSent ? 'Send it again' : 'E-mail me a link'}
        </Button>
      </div>
    </form>
  )
}
