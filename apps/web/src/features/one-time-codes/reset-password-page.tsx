import { passwordMinLength } from '@astropelago/contract/limits'
import { readCode } from '@astropelago/contract/one-time-code'
import { resetPassword } from '@astropelago/contract/passwords'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { authFailureText } from '../../lib/error-sentence.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { newPasswordProblem, refusedPasswordField } from '../../lib/new-password.ts'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { sessionQuery } from '../../lib/session.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { DoneMessage } from './code-page.tsx'

export function ResetPasswordPage() {
  usePageTitle(t`New password`)
  const { hash } = useLocation()
  const [username, setUsername] = useState<string>()
  return (
    <div className="flex w-full max-w-lg flex-col gap-8">
      <PageHeader
        title={t`New password`}
        lead={username === undefined && t`The code that you got sets one new password.`}
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
  given: string | undefined
  onReset: (username: string) => void
}

function CodeForm({ given, onReset }: CodeFormProps) {
  const client = useQueryClient()
  /** If the code in the address is no longer valid, the user can type another one. */
  const [isTyped, setIsTyped] = useState(given === undefined)
  const form = useApiForm({
    values: { code: '', 'new-password': '' },
    read: ({ code, 'new-password': newPassword }) =>
      readBy(
        resetPassword.body,
        { code: isTyped ? readCode(code) : given, newPassword },
        { code: isTyped && codeProblem(code), 'new-password': newPasswordProblem(newPassword) },
      ),
    send: (body) => call(resetPassword, { body }),
    onSent: ({ username }) => {
      // The reset ended all of the account's sessions, possibly this browser's too.
      void client.invalidateQueries(sessionQuery)
      onReset(username)
    },
    explain: authFailureText,
    fieldOf: { invalid_code: 'code', ...refusedPasswordField },
  })
  if (form.problemOf('code') !== undefined && !isTyped) setIsTyped(true)
  return (
    <form {...form.wiring} className="flex flex-col gap-5">
      {isTyped && (
        <TextField
          label={t`Code`}
          hint={t`Capital letters and hyphens do not matter.`}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="[&_input]:font-mono"
          {...form.text('code')}
        />
      )}
      <PasswordField
        label={t`New password`}
        hint={t`At least ${plural(passwordMinLength, { one: '# character', other: '# characters' })}. Every browser that is signed in to the account is signed out, and its API keys are revoked.`}
        autoComplete="new-password"
        {...form.text('new-password')}
      />
      <FormError>{form.failure}</FormError>
      <div>
        <Button type="submit" busy={form.isBusy} busyLabel={t`Setting…`}>
          <Trans>Set the password</Trans>
        </Button>
      </div>
    </form>
  )
}

function Done({ username }: { username: string }) {
  const name = <span className="font-medium">{username}</span>
  return (
    <>
      <DoneMessage>
        <Trans>
          The new password of {name} is set. All its browsers are signed out, and its API keys are
          revoked.
        </Trans>
      </DoneMessage>
      <div>
        <Button onClick={() => openSignIn()}>
          <Trans>Sign in</Trans>
        </Button>
      </div>
    </>
  )
}

function codeProblem(typed: string): string | false {
  if (typed.trim() === '') return t`Enter the code that you got`
  return readCode(typed) === undefined && t`A code has five groups of five letters and digits`
}
