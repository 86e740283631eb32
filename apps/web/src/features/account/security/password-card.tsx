import { passwordMinLength } from '@astropelago/contract/limits'
import { changePassword } from '@astropelago/contract/passwords'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { isNewPasswordRefused, newPasswordProblem } from '../../../lib/new-password.ts'
import { useUser } from '../../../lib/use-user.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { PasswordField } from '../../../ui/text-field.tsx'
import { accountFailure } from '../account-failure.ts'
import { apiKeysQuery } from '../keys/api-keys-query.ts'
import { sessionsQuery } from './sessions-query.ts'

const headingId = 'password-heading'

interface Problem {
  readonly at: 'current' | 'next' | 'form'
  readonly text: string
}

/** Changes the password. What was typed stays after every error. */
export function PasswordCard() {
  const { username } = useUser()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [problem, setProblem] = useState<Problem>()
  const currentInput = useRef<HTMLInputElement>(null)
  const nextInput = useRef<HTMLInputElement>(null)
  const client = useQueryClient()
  const showToast = useToast()

  const refuse = (found: Problem) => {
    setProblem(found)
    if (found.at === 'current') currentInput.current?.focus()
    if (found.at === 'next') nextInput.current?.focus()
  }
  const changing = useMutation({
    mutationFn: () => call(changePassword, { body: { password: current, newPassword: next } }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      showToast({
        title: 'Password changed',
        description: 'All other browsers are signed out, and all API keys are revoked.',
      })
      void client.invalidateQueries(sessionsQuery)
      void client.invalidateQueries(apiKeysQuery)
    },
    onError: (error) => refuse(problemOf(error)),
  })
  const submit = () => {
    setProblem(undefined)
    const broken = newPasswordProblem(next)
    if (current === '') refuse({ at: 'current', text: 'Enter your current password' })
    else if (broken !== undefined) refuse({ at: 'next', text: broken })
    else changing.mutate()
  }
  const errorAt = (at: Problem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Password"
        description="Changing it signs out every other browser and revokes all API keys."
      />
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!changing.isPending) submit()
        }}
      >
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly name="username" autoComplete="username" value={username} />
        <PasswordField
          label="Current password"
          error={errorAt('current')}
          ref={currentInput}
          name="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
        />
        <PasswordField
          label="New password"
          error={errorAt('next')}
          hint={`At least ${passwordMinLength} characters.`}
          ref={nextInput}
          name="new-password"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
        />
        <FormError>{errorAt('form')}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="sm" busy={changing.isPending}>
            {changing.isPending ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function problemOf(error: unknown): Problem {
  const text = accountFailure(error)
  if (error instanceof ApiError && error.code === 'wrong_password') return { at: 'current', text }
  return { at: isNewPasswordRefused(error) ? 'next' : 'form', text }
}
