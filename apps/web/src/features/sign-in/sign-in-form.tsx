import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import type { SignInProblem } from './sign-in-problem.ts'
import { useSignInAttempt } from './use-sign-in-attempt.ts'

/** Sign in, register or demo. What was typed stays there, whatever goes wrong. */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<SignInProblem>()
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  const { start, isBusy } = useSignInAttempt({
    onSignedIn,
    onProblem: (found, { way, credentials }) => {
      setProblem(found)
      if (way === 'demo') return
      const isUsernameWanted = found.at === 'username' || credentials.username === ''
      const wanted = isUsernameWanted ? usernameInput : passwordInput
      wanted.current?.focus()
    },
  })
  const startBy = (way: Parameters<typeof start>[0]) => {
    setProblem(undefined)
    start(way, { username, password })
  }
  const errorAt = (at: SignInProblem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) startBy('sign-in')
      }}
    >
      <Field label="Username" error={errorAt('username')}>
        {(wiring) => (
          <Input
            {...wiring}
            ref={usernameInput}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password" error={errorAt('password')}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            ref={passwordInput}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <FormError>{errorAt('form')}</FormError>
      {problem?.mayBeNew === true && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
          New here?
          <Button variant="outline" size="sm" disabled={isBusy} onClick={() => startBy('register')}>
            Create this account
          </Button>
        </p>
      )}
      <div className="grid grid-cols-1 gap-3 pt-1 sm:grid-cols-3">
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <Button variant="outline" disabled={isBusy} onClick={() => startBy('register')}>
          {isBusy ? 'Creating…' : 'Register'}
        </Button>
        <Button variant="outline" disabled={isBusy} onClick={() => startBy('demo')}>
          {isBusy ? 'Demo…' : 'Demo'}
        </Button>
      </div>
      <p className="text-xs text-muted">
        Demo signs you in to a new throwaway account. After 24 hours it is deleted, with everything
        made in it.
      </p>
    </form>
  )
}
