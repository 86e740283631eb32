import {
  brokenCredentialRule,
  type CredentialRule,
  type Credentials,
  demoLogin,
  passwordLogin,
  register,
} from '@astropelago/contract/accounts'
import type { FieldErrors } from '@astropelago/contract/error-body'
import { isErrorCode } from '@astropelago/contract/errors'
import { t } from '@lingui/core/macro'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { errorSentence } from '../../lib/error-sentence.ts'
import { connectionFailed } from '../../lib/failure-text.ts'
import { ConnectionError } from '../../lib/fetch-answer.ts'
import type { Reading } from '../../lib/forms/reading.ts'
import { passwordRuleTexts } from '../../lib/new-password.ts'
import { publicUrl } from '../../lib/public-url.ts'

export type SignInWay = 'sign-in' | 'register' | 'demo'

export interface TypedAttempt extends Credentials {
  readonly way: SignInWay
  readonly invite: string
}

interface Attempt {
  readonly way: SignInWay
  readonly credentials: Credentials
  readonly invite: string
}

export function readAttempt(typed: TypedAttempt, takesInvite: boolean): Reading<Attempt> {
  const { way, username, password } = typed
  const credentials = { username: username.trim(), password }
  const invite = typed.invite.trim()
  const broken = way === 'demo' ? undefined : brokenCredentialRule(credentials)
  if (broken !== undefined) return { problems: ruleProblems[broken] }
  if (way === 'register' && takesInvite && invite === '') {
    return { problems: { invite: errorSentence('invite_required') } }
  }
  return { body: { way, credentials, invite } }
}

export async function sendAttempt({ way, credentials, invite }: Attempt): Promise<void> {
  if (way === 'demo') await call(demoLogin)
  else if (way === 'sign-in') await call(passwordLogin, { body: credentials })
  else await call(register, { body: invite === '' ? credentials : { ...credentials, invite } })
}

export const ruleProblems: Readonly<Record<CredentialRule, FieldErrors>> = {
  required: { form: t`Enter username and password` },
  username: { username: t`Username must be 3-32 chars and use letters, numbers, _ or -` },
  'password-short': { password: passwordRuleTexts['password-short'] },
  'password-long': { password: passwordRuleTexts['password-long'] },
}

export const credentialFields = {
  invalid_username: 'username',
  username_taken: 'username',
  weak_password: 'password',
  common_password: 'password',
  invite_required: 'invite',
  invalid_invite: 'invite',
} as const

const codeTexts = new Map<string, string>([
  // The shared text is about requests, but here a user left a field empty.
  ['invalid_input', t`Please fill in both fields`],
  ...(
    [
      'invalid_username',
      'username_taken',
      'weak_password',
      'common_password',
      'invalid_credentials',
      'registration_closed',
      'invite_required',
      'invalid_invite',
      'rate_limited',
      'server_error',
    ] as const
  ).map((code) => [code, errorSentence(code)] as const),
])

export function credentialsFailure(error: unknown): string {
  if (error instanceof ConnectionError) return connectionFailed
  if (!(error instanceof ApiError)) return errorSentence('server_error')
  if (error.code === 'cross_site') return wrongAddress()
  const known = error.error === undefined ? undefined : codeTexts.get(error.code)
  return known ?? requestFailed(error)
}

/** The text for a failed demo sign-in: the server's error text, or an explanation if that is a code. */
export function demoFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return t`Demo sign-in failed`
  if (error.code === 'cross_site') return wrongAddress()
  if (!error.error) return requestFailed(error)
  const known = codeTexts.get(error.code)
  return known ?? (isErrorCode(error.error) ? errorSentence(error.error) : error.error)
}

/** The server accepts sign-ins only from its own origins, and this page's origin isn't one of them. */
function wrongAddress(): string {
  const address = publicUrl()
  const { origin } = window.location
  return t`The address of this server is ${address}: sign in there. Its operator can make ${origin} its address by the setting PUBLIC_URL.`
}

/** A status code alone doesn't help a user. */
function requestFailed({ status, code }: ApiError): string {
  const sentence = errorSentence(isErrorCode(code) ? code : 'server_error')
  return t`Request failed: ${status}. ${sentence}`
}
