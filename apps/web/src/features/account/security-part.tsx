import { passwordMinLength } from '@astropelago/contract/limits'
import { changePassword } from '@astropelago/contract/passwords'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { newPasswordProblem, refusedPasswordField } from '../../lib/new-password.ts'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { TitledCard } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { AwaitedSkeleton } from '../../ui/skeleton.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'
import { apiKeysQuery } from './api-keys-query.ts'
import { DemoNotice } from './demo-notice.tsx'
import { EmailCard, ownEmailQuery } from './email-card.tsx'
import { SessionsCard, sessionsQuery } from './sessions-card.tsx'

export function SecurityPart() {
  const { isDemo } = useUser()
  const sessions = useQuery(sessionsQuery)
  const email = useQuery({ ...ownEmailQuery, enabled: !isDemo })
  // Everything appears at once, because the content below would jump when these load.
  if (isFirstLoad(sessions) || (!isDemo && isFirstLoad(email))) {
    return <AwaitedSkeleton className="h-[36rem] w-full rounded-card" />
  }
  return (
    <>
      <SessionsCard query={sessions} />
      {isDemo ? (
        <DemoNotice />
      ) : (
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-2">
          <PasswordCard />
          <EmailCard query={email} />
        </div>
      )}
    </>
  )
}

function PasswordCard() {
  const { username } = useUser()
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { password: '', 'new-password': '' },
    read: ({ password, 'new-password': newPassword }) =>
      readBy(
        changePassword.body,
        { password, newPassword },
        {
          password: password === '' && 'Enter your current password',
          'new-password': newPasswordProblem(newPassword),
        },
      ),
    send: (body) => call(changePassword, { body }),
    onSent: () => {
      showToast({
        title: 'Password changed',
        description: 'All other browsers are signed out, and all API keys are revoked.',
      })
      void client.invalidateQueries(sessionsQuery)
      void client.invalidateQueries(apiKeysQuery)
    },
    explain: accountFailure,
    fieldOf: { wrong_password: 'password', ...refusedPasswordField },
  })
  return (
    <TitledCard
      title="Password"
      description="Changing it signs out every other browser and revokes all API keys."
    >
      <form {...form.wiring} className="flex flex-col gap-4">
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly name="username" autoComplete="username" value={username} />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.text('password')}
        />
        <PasswordField
          label="New password"
          hint={`At least ${passwordMinLength} characters.`}
          autoComplete="new-password"
          {...form.text('new-password')}
        />
        <FormError>{form.failure}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" size="sm" busy={form.isBusy}>
            {form.isBusy ? 'Changing…' : 'Change password'}
          </Button>
        </div>
      </form>
    </TitledCard>
  )
}
