import type { getSignInOptions } from '@astropelago/contract/accounts'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import {
  credentialFields,
  credentialsFailure,
  demoFailure,
  readAttempt,
  sendAttempt,
  type SignInWay,
  type TypedAttempt,
} from './sign-in-attempt.ts'

interface SignInFormProps {
  onSignedIn: () => void
  onPasswordLost: () => void
  options: Pick<AnswerBody<typeof getSignInOptions>, 'registration' | 'isDemoOn'>
  invite: string
}

export function SignInForm(props: SignInFormProps) {
  const { onSignedIn, onPasswordLost, options, invite: given } = props
  const canRegister = options.registration !== 'closed'
  const takesInvite = options.registration === 'invite'
  /** A user with an invite usually wants to register. */
  const isInvited = takesInvite && given !== ''
  const main: SignInWay = isInvited ? 'register' : 'sign-in'
  /** The server asked for an invite. Signing in needs none. */
  const [isInviteAsked, setIsInviteAsked] = useState(false)
  const empty: TypedAttempt = { way: main, username: '', password: '', invite: given }
  const form = useApiForm({
    values: empty,
    read: (typed) => readAttempt(typed, takesInvite),
    send: sendAttempt,
    onSent: onSignedIn,
    explain: (error, { way }) => (way === 'demo' ? demoFailure(error) : credentialsFailure(error)),
    fieldOf: credentialFields,
    leavesPage: true,
    focusAfter: ({ way, username }) => {
      if (way === 'demo') return undefined
      return username.trim() === '' ? 'username' : 'password'
    },
  })
  if (form.problemOf('invite') !== undefined && !isInviteAsked) setIsInviteAsked(true)
  const { isBusy } = form
  /** The account may not exist yet, because new users may press Enter instead of Register. */
  const mayBeNew = form.error instanceof ApiError && form.error.code === 'invalid_credentials'
  /** Enter triggers the main button. */
  const wayIn = (way: SignInWay) =>
    way === main
      ? ({ type: 'submit', disabled: isBusy } as const)
      : ({ variant: 'outline', disabled: isBusy, onClick: () => form.send({ way }) } as const)

  return (
    <form
      {...form.wiring}
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        form.send({ way: main })
      }}
    >
      <TextField
        label={t`Username`}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('username')}
      />
      <PasswordField
        label={t`Password`}
        autoComplete="current-password"
        {...form.text('password')}
      />
      {(isInvited || isInviteAsked) && (
        <TextField
          label={t`Invite`}
          hint={t`You need it to register, not to sign in.`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.text('invite')}
        />
      )}
      <FormError>{form.failure}</FormError>
      {mayBeNew && canRegister && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
          <Trans>New here?</Trans>
          <Button
            variant="outline"
            size="sm"
            disabled={isBusy}
            onClick={() => form.send({ way: 'register' })}
          >
            <Trans>Create this account</Trans>
          </Button>
        </p>
      )}
      <div
        className={classNames(
          'grid grid-cols-1 gap-3 pt-1',
          ['', 'sm:grid-cols-2', 'sm:grid-cols-3'][Number(canRegister) + Number(options.isDemoOn)],
        )}
      >
        <Button {...wayIn('sign-in')}>{isBusy ? t`Signing in…` : t`Sign in`}</Button>
        {canRegister && (
          <Button {...wayIn('register')}>{isBusy ? t`Creating…` : t`Register`}</Button>
        )}
        {options.isDemoOn && <Button {...wayIn('demo')}>{isBusy ? t`Demo…` : t`Demo`}</Button>}
      </div>
      <div className="flex flex-col items-start gap-3">
        {options.isDemoOn && (
          <p className="text-xs text-muted">
            <Trans>
              Demo signs you in to a new throwaway account. After 24 hours it is deleted, with
              everything made in it.
            </Trans>
          </p>
        )}
        <Button variant="link" size="sm" disabled={isBusy} onClick={onPasswordLost}>
          <Trans>Lost your password?</Trans>
        </Button>
      </div>
    </form>
  )
}
