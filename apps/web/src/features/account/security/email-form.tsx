import { changeEmail, type OwnEmail } from '@astropelago/contract/email'
import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../lib/api-error.ts'
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

interface Problem {
  readonly at: 'address' | 'password' | 'form'
  readonly text: string
}

/** Changes or removes the address. The password confirms that the request comes from the user. */
export function EmailForm({ isRemoval, initial, onChanged, onClose }: EmailFormProps) {
  const [address, setAddress] = useState(initial)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const addressInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)

  const refuse = (found: Problem) => {
    setProblem(found)
    if (found.at === 'address') addressInput.current?.focus()
    if (found.at === 'password') passwordInput.current?.focus()
  }
  const changing = useChangeEmail(onChanged)
  const submit = () => {
    setProblem(undefined)
    const body = { address: isRemoval ? null : address.trim(), password }
    const { issues } = v.safeParse(changeEmail.body, body)
    if (issues) refuse({ at: 'address', text: issues[0].message })
    else if (password === '') refuse({ at: 'password', text: 'Enter your password' })
    else changing.mutate(body, { onError: (error) => refuse(problemOf(error)) })
  }
  useEffect(() => (addressInput.current ?? passwordInput.current)?.focus(), [])
  const errorAt = (at: Problem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <form
      noValidate
      aria-label={isRemoval ? 'Remove the e-mail address' : 'New e-mail address'}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!changing.isPending) submit()
      }}
    >
      {isRemoval ? (
        <p className="text-sm text-muted">
          Without an address, only whoever runs this server can help you if you lose your password.
        </p>
      ) : (
        <TextField
          label="New address"
          error={errorAt('address')}
          hint="We send a link there. The address is confirmed when you open it."
          ref={addressInput}
          type="email"
          name="email"
          autoComplete="email"
          spellCheck={false}
          value={address}
          onChange={setAddress}
        />
      )}
      <PasswordField
        label="Your password"
        error={errorAt('password')}
        ref={passwordInput}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <FormError>{errorAt('form')}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          size="sm"
          variant={isRemoval ? 'destructive' : 'default'}
          busy={changing.isPending}
        >
          {isRemoval ? 'Remove address' : changing.isPending ? 'Sending…' : 'Send the link'}
        </Button>
        <Button variant="ghost" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) return { at: 'form', text: accountFailure(error) }
  if (error.code === 'wrong_password') return { at: 'password', text: error.sentence }
  const atAddress = error.fields['address']
  if (atAddress !== undefined) return { at: 'address', text: atAddress }
  return { at: 'form', text: accountFailure(error) }
}
