import type { CredentialRule } from '@astropelago/contract/accounts'
import { errors, isErrorCode } from '@astropelago/contract/errors'
import { publicUrl } from '../../lib/public-url.ts'
import { ApiError, ConnectionError } from '../../lib/api-error.ts'
import { passwordRuleTexts } from '../../lib/new-password.ts'

/** An error, and where the form shows it. */
export interface SignInProblem {
  readonly text: string
  readonly at: 'form' | 'username' | 'password' | 'invite'
  /** The account may not exist yet, because new users may press Enter instead of Register. */
  readonly mayBeNew?: true
}

/** Errors found by the form itself. */
export const ruleProblems: Readonly<Record<CredentialRule, SignInProblem>> = {
  required: { text: 'Enter username and password', at: 'form' },
  username: {
    text: 'Username must be 3-32 chars and use letters, numbers, _ or -',
    at: 'username',
  },
  'password-short': { text: passwordRuleTexts['password-short'], at: 'password' },
  'password-long': { text: passwordRuleTexts['password-long'], at: 'password' },
}

/** Errors for the codes that the server returns from sign-in and registration. */
const codeProblems = new Map<string, SignInProblem>([
  // The shared text is about requests, but here a user left a field empty.
  ['invalid_input', { text: 'Please fill in both fields', at: 'form' }],
  ['invalid_username', { text: errors.invalid_username.sentence, at: 'username' }],
  ['weak_password', { text: errors.weak_password.sentence, at: 'password' }],
  ['common_password', { text: errors.common_password.sentence, at: 'password' }],
  ['username_taken', { text: errors.username_taken.sentence, at: 'username' }],
  [
    'invalid_credentials',
    { text: errors.invalid_credentials.sentence, at: 'form', mayBeNew: true },
  ],
  ['registration_closed', { text: errors.registration_closed.sentence, at: 'form' }],
  ['invite_required', { text: errors.invite_required.sentence, at: 'invite' }],
  ['invalid_invite', { text: errors.invalid_invite.sentence, at: 'invite' }],
  ['rate_limited', { text: errors.rate_limited.sentence, at: 'form' }],
  ['server_error', { text: errors.server_error.sentence, at: 'form' }],
])

/** The error of a failed sign-in or registration. */
export function credentialsProblem(error: unknown): SignInProblem {
  if (error instanceof ConnectionError) return { text: error.sentence, at: 'form' }
  if (!(error instanceof ApiError)) return { text: errors.server_error.sentence, at: 'form' }
  if (error.code === 'cross_site') return { text: wrongAddress(), at: 'form' }
  const known = error.error === undefined ? undefined : codeProblems.get(error.code)
  return known ?? { text: requestFailed(error), at: 'form' }
}

/** For a server that requires an invite, if none was typed. */
export const inviteMissing: SignInProblem = {
  text: errors.invite_required.sentence,
  at: 'invite',
}

/** The error of a failed demo sign-in: the server's error text, or an explanation if that is a code. */
export function demoProblem(error: unknown): SignInProblem {
  if (!(error instanceof ApiError)) return { text: 'Demo sign-in failed', at: 'form' }
  return { text: demoText(error), at: 'form' }
}

function demoText(error: ApiError): string {
  if (error.code === 'cross_site') return wrongAddress()
  if (!error.error) return requestFailed(error)
  const known = codeProblems.get(error.code)
  if (known !== undefined) return known.text
  return isErrorCode(error.error) ? errors[error.error].sentence : error.error
}

/** The server accepts sign-ins only from its own origins, and this page's origin isn't one of them. */
function wrongAddress(): string {
  return (
    `The address of this server is ${publicUrl()}: sign in there. Whoever runs it can make ` +
    `${window.location.origin} its address by the setting PUBLIC_URL.`
  )
}

/** A status code alone doesn't help a user. */
function requestFailed({ status, code }: ApiError): string {
  const { sentence } = isErrorCode(code) ? errors[code] : errors.server_error
  return `Request failed: ${status}. ${sentence}`
}
