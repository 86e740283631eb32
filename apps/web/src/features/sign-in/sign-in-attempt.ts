import {
  brokenCredentialRule,
  type Credentials,
  demoLogin,
  passwordLogin,
  register,
} from '@astropelago/contract/accounts'
import { errors } from '@astropelago/contract/errors'
import { call } from '../../lib/call.ts'
import type { Reading } from '../../lib/forms/reading.ts'
import { ruleProblems } from './sign-in-problem.ts'

export type SignInWay = 'sign-in' | 'register' | 'demo'

export interface TypedAttempt extends Credentials {
  readonly way: SignInWay
  readonly invite: string
}

interface Attempt {
  readonly way: SignInWay
  readonly credentials: Credentials
  /** The invite for a registration; `''` for none. */
  readonly invite: string
}

/** @param takesInvite whether registration uses an invite */
export function readAttempt(typed: TypedAttempt, takesInvite: boolean): Reading<Attempt> {
  const { way, username, password } = typed
  const credentials = { username: username.trim(), password }
  const invite = typed.invite.trim()
  const broken = way === 'demo' ? undefined : brokenCredentialRule(credentials)
  if (broken !== undefined) return { problems: ruleProblems[broken] }
  if (way === 'register' && takesInvite && invite === '') {
    return { problems: { invite: errors.invite_required.sentence } }
  }
  return { body: { way, credentials, invite } }
}

export async function sendAttempt({ way, credentials, invite }: Attempt): Promise<void> {
  if (way === 'demo') await call(demoLogin)
  else if (way === 'sign-in') await call(passwordLogin, { body: credentials })
  else await call(register, { body: invite === '' ? credentials : { ...credentials, invite } })
}
