import { FormActions } from '../../ui/form-actions.tsx'
import { changeEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { emailCodeHours, passwordMinLength } from '@astropelago/contract/limits'
import { changePassword } from '@astropelago/contract/passwords'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { queryOptions, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import MailCheck from 'virtual:icon/mail-check'
import MailQuestionMark from 'virtual:icon/mail-question-mark'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { newPasswordProblem, refusedPasswordField } from '../../lib/new-password.ts'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useUser } from '../../lib/use-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { AwaitedSkeleton } from '../../ui/skeleton.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { useFocusReturn } from '../../ui/focus.ts'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'
import { apiKeysQuery } from './api-keys-card.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { SessionsCard, sessionsQuery } from './sessions-card.tsx'

// Fetched again when the tab regains focus, because the confirmation link in an e-mail opens another
// tab.
const ownEmailQuery = queryOptions({
  queryKey: ['own-email'],
  queryFn: ({ signal }) => call(getOwnEmail, { signal }),
})

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
          password: password === '' && t`Enter your current password`,
          'new-password': newPasswordProblem(newPassword),
        },
      ),
    send: (body) => call(changePassword, { body }),
    onSent: () => {
      showToast({
        title: t`Password changed`,
        description: t`All other browsers are signed out, and all API keys are revoked.`,
      })
      void client.invalidateQueries(sessionsQuery)
      void client.invalidateQueries(apiKeysQuery)
    },
    explain: accountFailure,
    fieldOf: { wrong_password: 'password', ...refusedPasswordField },
  })
  return (
    <Card
      title={t`Password`}
      description={t`Changing it signs out every other browser and revokes all API keys.`}
    >
      <form {...form.wiring} className="flex flex-col gap-4">
        {/* Tells password managers whose password it is. */}
        <input hidden readOnly name="username" autoComplete="username" value={username} />
        <PasswordField
          label={t`Current password`}
          autoComplete="current-password"
          {...form.text('password')}
        />
        <PasswordField
          label={t`New password`}
          hint={plural(passwordMinLength, {
            one: 'At least # character.',
            other: 'At least # characters.',
          })}
          autoComplete="new-password"
          {...form.text('new-password')}
        />
        <FormActions form={form} size="sm" submit={t`Change password`} busy={t`Changing…`} />
      </form>
    </Card>
  )
}

function EmailCard({ query }: { query: UseQueryResult<OwnEmail> }) {
  const { data: email } = query
  return (
    <Card
      title={t`E-mail address`}
      description={t`Optional. We use it when you lose your password, and to warn you about your account. Nobody else sees it.`}
    >
      {email && <Address email={email} />}
      <ListFailure query={query} of="email" />
    </Card>
  )
}

function Address({ email }: { email: OwnEmail }) {
  const { address, pending, canSendMail } = email
  const [wanted, setWanted] = useState<'change' | 'remove'>()
  const showToast = useToast()

  const changeButton = useFocusReturn(wanted !== undefined)

  return (
    <>
      {address !== null && (
        <Line icon={<MailCheck aria-hidden className="text-accent" />}>
          <span className="font-medium wrap-anywhere">{address}</span>
          <span className="text-muted">
            <Trans>Confirmed.</Trans>
          </span>
        </Line>
      )}
      {pending && (
        <Line icon={<MailQuestionMark aria-hidden className="text-muted" />}>
          <span className="font-medium wrap-anywhere">{pending.address}</span>
          <span className="text-muted">
            <Trans>
              Not confirmed yet. Open the link that we sent there. It works for{' '}
              <Plural value={emailCodeHours} one="# hour" other="# hours" />, until{' '}
              <LocalTime at={pending.expiresAt} />.
            </Trans>
          </span>
        </Line>
      )}
      {!canSendMail && (
        <p className="text-sm text-muted">
          <Trans>
            This server sends no e-mail, so no address can be added. If you lose your password, ask
            its operator for a one-time code.
          </Trans>
        </p>
      )}
      {wanted !== undefined && (
        <EmailForm
          key={wanted}
          isRemoval={wanted === 'remove'}
          initial={pending?.address ?? ''}
          onChanged={(changed) => {
            setWanted(undefined)
            showToast({ title: changed.pending ? t`Check your mail` : t`E-mail address removed` })
          }}
          onClose={() => setWanted(undefined)}
        />
      )}
      {wanted === undefined && (
        <div className="flex flex-wrap gap-3 empty:hidden">
          {canSendMail && (
            <Button
              ref={changeButton}
              variant="outline"
              size="sm"
              onClick={() => setWanted('change')}
            >
              {pending ? t`Send again or change` : address === null ? t`Add an address` : t`Change`}
            </Button>
          )}
          {(address !== null || pending) && (
            <Button variant="ghost" size="sm" onClick={() => setWanted('remove')}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface EmailFormProps {
  isRemoval: boolean
  initial: string
  onChanged: (email: OwnEmail) => void
  onClose: () => void
}

/** Changes or removes the address. The password confirms that the request comes from the user. */
function EmailForm({ isRemoval, initial, onChanged, onClose }: EmailFormProps) {
  const client = useQueryClient()
  const form = useApiForm({
    values: { address: initial, password: '' },
    read: ({ address, password }) =>
      readBy(
        changeEmail.body,
        { address: isRemoval ? null : address.trim(), password },
        { password: password === '' && t`Enter your password` },
      ),
    send: async (body) => {
      const email = await call(changeEmail, { body })
      await client.cancelQueries(ownEmailQuery)
      client.setQueryData(ownEmailQuery.queryKey, email)
      return email
    },
    onSent: onChanged,
    explain: accountFailure,
    fieldOf: { wrong_password: 'password' },
    takesFocus: true,
  })
  return (
    <form
      {...form.wiring}
      aria-label={isRemoval ? t`Remove the e-mail address` : t`New e-mail address`}
      className="flex flex-col gap-4"
    >
      {isRemoval ? (
        <p className="text-sm text-muted">
          <Trans>
            Without an address, only the operator of this server can help you if you lose your
            password.
          </Trans>
        </p>
      ) : (
        <TextField
          label={t`New address`}
          hint={t`We send a link there. The address is confirmed when you open it.`}
          type="email"
          autoComplete="email"
          spellCheck={false}
          {...form.text('address')}
          name="email"
        />
      )}
      <PasswordField
        label={t`Your password`}
        autoComplete="current-password"
        {...form.text('password')}
      />
      <FormActions
        form={form}
        size="sm"
        variant={isRemoval ? 'destructive' : 'default'}
        submit={isRemoval ? t`Remove address` : t`Send the link`}
        busy={isRemoval ? undefined : t`Sending…`}
        onCancel={onClose}
        cancelVariant="ghost"
      />
    </form>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-3 text-sm [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0">
      {icon}
      <span className="flex min-w-0 flex-col gap-0.5">{children}</span>
    </p>
  )
}
