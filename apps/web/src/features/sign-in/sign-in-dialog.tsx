import { LinkButton } from '../../lib/link-button.tsx'
import { getSignInOptions, type Registration } from '@astropelago/contract/accounts'
import { resetMailHours } from '@astropelago/contract/limits'
import { requestPasswordReset } from '@astropelago/contract/passwords'
import type { AnswerBody } from '@astropelago/contract/route'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { call } from '../../lib/call.ts'
import { authFailureText, errorSentence } from '../../lib/error-sentence.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { inviteParameter, signInParameter } from '../../lib/open-sign-in.ts'
import { returnPath } from '../../lib/return-path.ts'
import { forgetWayBack, readWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { leadsToLounge, LoungeAhead } from './lounge-ahead.tsx'
import { reasonToSignIn } from './reason-to-sign-in.ts'
import { SignInForm } from './sign-in-form.tsx'

interface SignInDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  invite: string | null
  /** The path that the user pressed and that requires signing in. */
  pressed: string | undefined
}

export function SignInDialog({ open, onOpenChange, invite, pressed }: SignInDialogProps) {
  const { state } = useLocation()
  const goal = findDestination(pressed, state)
  const options = useSignInOptions(open)
  const [isPasswordLost, setIsPasswordLost] = useState(false)
  const change = (isOpen: boolean) => {
    if (!isOpen) setIsPasswordLost(false)
    onOpenChange(isOpen)
  }
  const hint = `${reasonToSignIn(goal)} ${registrationHint(options.registration, invite !== null)}`
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={isPasswordLost ? t`Lost your password?` : t`Sign in`}
      description={
        isPasswordLost ? (
          t`You set a new one with a one-time code.`
        ) : (
          <>
            {leadsToLounge(goal) && <LoungeAhead />}
            {hint.trim()}
          </>
        )
      }
    >
      {isPasswordLost ? (
        <LostPassword
          key={String(options.canSendMail)}
          canSendMail={options.canSendMail}
          onBack={() => setIsPasswordLost(false)}
          onLeave={() => change(false)}
        />
      ) : (
        <SignInForm
          onSignedIn={() => continueSignedIn(goal)}
          onPasswordLost={() => setIsPasswordLost(true)}
          options={options}
          invite={invite ?? ''}
        />
      )}
    </Dialog>
  )
}

function registrationHint(registration: Registration, isInvited: boolean): string {
  if (registration === 'closed') return errorSentence('registration_closed')
  if (registration === 'open') return t`New here? Choose a username and a password, then Register.`
  return isInvited
    ? t`You are invited: choose a username and a password, then Register.`
    : t`New here? To register, you need an invite from the operator of this server.`
}

interface LostPasswordProps {
  canSendMail: boolean
  onBack: () => void
  onLeave: () => void
}

function LostPassword({ canSendMail, onBack, onLeave }: LostPasswordProps) {
  const first = useRef<HTMLDivElement>(null)
  // The focused element went with the form.
  useEffect(() => first.current?.querySelector<HTMLElement>('input, a')?.focus(), [])
  return (
    <div ref={first} className="flex flex-col gap-5">
      {canSendMail ? (
        <MailForm />
      ) : (
        <p className="text-sm">
          <Trans>
            This server sends no e-mail. Ask its operator for a code. It sets one new password.
          </Trans>
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <LinkButton
          to={paths.resetPassword()}
          onClick={onLeave}
          variant={canSendMail ? 'outline' : 'default'}
        >
          <Trans>I have a code</Trans>
        </LinkButton>
        <Button variant="ghost" onClick={onBack}>
          <Trans>Back to sign-in</Trans>
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
        { account: account.trim() === '' && t`Enter your username or your e-mail address` },
      ),
    send: (body) => call(requestPasswordReset, { body }),
    explain: authFailureText,
    keeps: ['account'],
    focusAfter: () => 'account',
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-5">
      <TextField
        label={t`Username or e-mail address`}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('account')}
      />
      <FormError>{form.failure}</FormError>
      {/* Rendered before its text arrives, so that screen readers announce the text. */}
      <output className="text-sm empty:hidden">
        {form.isSent &&
          t`If that account has a confirmed e-mail address, a link is on its way there. It works for ${plural(resetMailHours, { one: '# hour', other: '# hours' })}. Without such an address, ask the operator of this server for a code.`}
      </output>
      <div>
        <Button type="submit" busy={form.isBusy}>
          {form.isSent ? t`Send it again` : t`E-mail me a link`}
        </Button>
      </div>
    </form>
  )
}

type SignInOptions = AnswerBody<typeof getSignInOptions>

/** The options of most servers. A server that offers less rejects the attempt with an explanation. */
const usual: SignInOptions = { registration: 'open', isDemoOn: true, canSendMail: false }

function useSignInOptions(isOpen: boolean): SignInOptions {
  const { data = usual } = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => call(getSignInOptions, { signal }),
    enabled: isOpen,
    retry: false,
  })
  return data
}

/** What the user pressed, what the guard refused, or what they left to sign in on Explore. */
function findDestination(pressed: string | undefined, state: unknown): string | undefined {
  const isOnExplore = window.location.pathname === paths.explore()
  return pressed ?? returnPath(state) ?? (isOnExplore ? readWayBack() : undefined)
}

function continueSignedIn(goal: string | undefined): void {
  forgetWayBack()
  const address = new URL(window.location.href)
  address.searchParams.delete(signInParameter)
  address.searchParams.delete(inviteParameter)
  if (goal !== undefined) window.location.replace(goal)
  else if (address.href === window.location.href) window.location.reload()
  else window.location.replace(address)
}
