import { passwordMinLength } from '@astropelago/contract/limits'
import { readCode } from '@astropelago/contract/one-time-code'
import { resetPassword } from '@astropelago/contract/passwords'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import CircleCheck from 'virtual:icon/circle-check'
import { ApiError } from '../../lib/api-error.ts'
import { authFailureText } from '../../lib/auth-failure.ts'
import { call } from '../../lib/call.ts'
import { isNewPasswordRefused, newPasswordProblem } from '../../lib/new-password.ts'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { sessionQuery } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Input } from '../../ui/input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PasswordField } from '../../ui/text-field.tsx'

interface Problem {
  readonly at: 'code' | 'password' | 'form'
  readonly text: string
}

/** Sets a new password with a one-time code from the address or typed by the user. */
export function ResetPasswordPage() {
  usePageTitle('New password')
  const { hash } = useLocation()
  const [username, setUsername] = useState<string>()
  return (
    <div className="flex w-full max-w-lg flex-col gap-8">
      <PageHeader
        title="New password"
        lead={username === undefined && 'The code that you got sets one new password.'}
      />
      <Card>
        {username === undefined ? (
          // Another link opened in the same tab has another code.
          <CodeForm key={hash} given={readCode(hash)} onReset={setUsername} />
        ) : (
          <Done username={username} />
        )}
      </Card>
    </div>
  )
}

interface CodeFormProps {
  /** The code in the address. */
  given: string | undefined
  onReset: (username: string) => void
}

function CodeForm({ given, onReset }: CodeFormProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<Problem>()
  /** If the code in the address is no longer valid, the user can type another one. */
  const [isTyped, setIsTyped] = useState(given === undefined)
  const codeInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const client = useQueryClient()

  const resetting = useMutation({
    mutationFn: (used: string) =>
      call(resetPassword, { body: { code: used, newPassword: password } }),
    onSuccess: (answer) => {
      // The reset ended all of the account's sessions, possibly this browser's too.
      void client.invalidateQueries(sessionQuery)
      onReset(answer.username)
    },
    onError: (error) => {
      const isCode = error instanceof ApiError && error.code === 'invalid_code'
      if (isCode) setIsTyped(true)
      setProblem({
        at: isCode ? 'code' : isNewPasswordRefused(error) ? 'password' : 'form',
        text: authFailureText(error),
      })
    },
  })
  const submit = () => {
    const used = isTyped ? readCode(code) : given
    const broken = newPasswordProblem(password)
    if (used === undefined) {
      const text =
        code.trim() === ''
          ? 'Enter the code that you got'
          : 'A code has five groups of five letters and digits'
      setProblem({ at: 'code', text })
    } else if (broken !== undefined) setProblem({ at: 'password', text: broken })
    else {
      setProblem(undefined)
      resetting.mutate(used)
    }
  }
  // Runs after the field has been rendered.
  useEffect(() => {
    if (problem?.at === 'code') codeInput.current?.focus()
    if (problem?.at === 'password') passwordInput.current?.focus()
  }, [problem])
  const errorAt = (at: Problem['at']) => (problem?.at === at ? problem.text : undefined)

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!resetting.isPending) submit()
      }}
    >
      {isTyped && (
        <Field
          label="Code"
          error={errorAt('code')}
          hint="Capital letters and hyphens do not matter."
        >
          {(wiring) => (
            <Input
              {...wiring}
              ref={codeInput}
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              className="font-mono"
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          )}
        </Field>
      )}
      <PasswordField
        label="New password"
        error={errorAt('password')}
        hint={`At least ${passwordMinLength} characters. Every browser that is signed in to the account is signed out, and its API keys are revoked.`}
        ref={passwordInput}
        name="new-password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      <FormError>{errorAt('form')}</FormError>
      <div>
        <Button type="submit" busy={resetting.isPending}>
          {resetting.isPending ? 'Setting…' : 'Set the password'}
        </Button>
      </div>
    </form>
  )
}

function Done({ username }: { username: string }) {
  const message = useRef<HTMLParagraphElement>(null)
  // The focused element went with the form, and screen readers read the result.
  useEffect(() => message.current?.focus(), [])
  return (
    <>
      <p ref={message} tabIndex={-1} className="flex items-start gap-3 rounded-mark">
        <CircleCheck aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
        <span className="min-w-0 wrap-anywhere">
          The new password of <span className="font-medium">{username}</span> is set. All its
          browsers are signed out, and its API keys are revoked.
        </span>
      </p>
      <div>
        <Button onClick={() => openSignIn()}>Sign in</Button>
      </div>
    </>
  )
}
