import type { getSignInOptions } from '@astropelago/contract/accounts'
import type { AnswerBody } from '@astropelago/contract/route'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import type { SignInProblem } from './sign-in-problem.ts'
import { useSignInAttempt } from './use-sign-in-attempt.ts'

interface SignInFormProps {
  onSignedIn: () => void
  onPasswordLost: () => void
  /** The sign-in options of this server. */
  options: Pick<AnswerBody<typeof getSignInOptions>, 'registration' | 'isDemoOn'>
  /** The invite in the address; `''` for none. */
  invite: string
}

/** Sign-in, registration and demo. What was typed stays after every error. */
export function SignInForm(props: SignInFormProps) {
  const { onSignedIn, onPasswordLost, options, invite: given } = props
  const canRegister = options.registration !== 'closed'
  const takesInvite = options.registration === 'invite'
  /** A user with an invite usually wants to register. */
  const isInvited = takesInvite && given !== ''
  const main = isInvited ? 'register' : 'sign-in'
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [invite, setInvite] = useState(given)
  const [problem, setProblem] = useState<SignInProblem>()
  /**
   * Signing in needs no invite, so the field appears only with an invite, or after a first attempt without
   * one.
   */
  const [isInviteAsked, setIsInviteAsked] = useState(given !== '')
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const inviteInput = useRef<HTMLInputElement>(null)

  const { start, isBusy } = useSignInAttempt({
    takesInvite,
    onSignedIn,
    onProblem: (found, { way, credentials }) => {
      setProblem(found)
      if (way === 'demo') return
      if (found.at === 'invite') {
        // The field must be rendered before it can take the focus.
        flushSync(() => setIsInviteAsked(true))
        inviteInput.current?.focus()
        return
      }
      const isUsernameWanted = found.at === 'username' || credentials.username === ''
      const wanted = isUsernameWanted ? usernameInput : passwordInput
      wanted.current?.focus()
    },
  })
  const startBy = (way: Parameters<typeof start>[0]) => {
    setProblem(undefined)
    start(way, { username, password, invite })
  }
  /** Enter triggers the main button. */
  const wayIn = (way: Parameters<typeof start>[0]) =>
    way === main
      ? ({ type: 'submit', disabled: isBusy } as const)
      : ({ variant: 'outline', disabled: isBusy, onClick: () => startBy(way) } as const)
  const errorAt = (at: SignInProblem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) startBy(main)
      }}
    >
      <TextField
        label="Username"
        error={errorAt('username')}
        ref={usernameInput}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={setUsername}
      />
      <PasswordField
        label="Password"
        error={errorAt('password')}
        ref={passwordInput}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {((takesInvite && isInviteAsked) || problem?.at === 'invite') && (
        <TextField
          label="Invite"
          error={errorAt('invite')}
          hint="You need it to register, not to sign in."
          ref={inviteInput}
          name="invite"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={invite}
          onChange={setInvite}
        />
      )}
      <FormError>{errorAt('form')}</FormError>
      {problem?.mayBeNew === true && canRegister && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
          New here?
          <Button variant="outline" size="sm" disabled={isBusy} onClick={() => startBy('register')}>
            Create this account
          </Button>
        </p>
      )}
      <div
        className={classNames(
          'grid grid-cols-1 gap-3 pt-1',
          ['', 'sm:grid-cols-2', 'sm:grid-cols-3'][Number(canRegister) + Number(options.isDemoOn)],
        )}
      >
        <Button {...wayIn('sign-in')}>{isBusy ? 'Signing in…' : 'Sign in'}</Button>
        {canRegister && <Button {...wayIn('register')}>{isBusy ? 'Creating…' : 'Register'}</Button>}
        {options.isDemoOn && <Button {...wayIn('demo')}>{isBusy ? 'Demo…' : 'Demo'}</Button>}
      </div>
      <div className="flex flex-col items-start gap-3">
        {options.isDemoOn && (
          <p className="text-xs text-muted">
            Demo signs you in to a new throwaway account. After 24 hours it is deleted, with
            everything made in it.
          </p>
        )}
        <Button variant="link" size="sm" disabled={isBusy} onClick={onPasswordLost}>
          Lost your password?
        </Button>
      </div>
    </form>
  )
}
