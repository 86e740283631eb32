import {
  brokenCredentialRule,
  type NewAccount,
  type Registration,
} from '@astropelago/contract/accounts'
import { readCode } from '@astropelago/contract/one-time-code'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashCode } from '../../one-time-code.ts'
import type { AccountsStore } from './accounts-store.ts'
import { checkNewPassword } from './check-new-password.ts'
import type { CommonPasswords } from './common-passwords.ts'
import { insertUser } from './insert-user.ts'
import type { InvitesStore } from './invites-store.ts'
import type { IsOperator } from './operator/is-operator.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { SignedIn } from './sign-in.ts'
import { startSession } from './start-session.ts'

interface RegisterUserDeps {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly isOperator: IsOperator
  readonly invites: Pick<InvitesStore, 'findUsable'>
  /** The route refuses everybody if this is `closed`. */
  readonly registration: Registration
}

export interface Registered extends SignedIn {
  /** The invite that was used, if registration requires one. */
  readonly inviteId: string | null
}

/**
 * Creates an account and signs it in.
 * @param presentedToken the session token that the browser already has
 * @param origin where the session starts
 * @throws DomainError with the first broken rule; `invalid_invite` and `username_taken` come last
 */
export async function registerUser(
  deps: RegisterUserDeps,
  { invite, ...credentials }: NewAccount,
  presentedToken: string | undefined,
  origin?: SessionOrigin,
): Promise<Registered> {
  const { store, invites, clock, passwordHasher, commonPasswords, isOperator, registration } = deps
  const used = registration === 'invite' ? await findInvite(invites, clock(), invite) : undefined
  const broken = brokenCredentialRule(credentials)
  if (broken === 'required') throw new DomainError('invalid_input')
  if (broken === 'username') throw new DomainError('invalid_username')
  const username = credentials.username.trim()
  const { password } = credentials
  checkNewPassword(commonPasswords, password, username)

  const passwordHash = await passwordHasher.hash(password)
  // Only the command line creates operators, or the first person to register the name would become one.
  // Checked after the hash, so the response time does not distinguish it from other taken names.
  if (isOperator({ username, isDemo: false })) throw new DomainError('username_taken')
  const user = await insertUser(
    store,
    { username, passwordHash, isDemo: false, createdMs: clock(), expiresMs: null },
    used?.codeHash,
  )
  const token = await startSession({ store, clock }, user.key, presentedToken, { origin })
  return { user, token, inviteId: used?.id ?? null }
}

/** Checked first: without an invite, a caller learns nothing and costs no hash. */
async function findInvite(
  invites: RegisterUserDeps['invites'],
  nowMs: number,
  text: string | undefined,
): Promise<{ readonly id: string; readonly codeHash: Uint8Array }> {
  if (text === undefined || text.trim() === '') throw new DomainError('invite_required')
  const code = readCode(text)
  if (code === undefined) throw new DomainError('invalid_invite')
  const codeHash = hashCode(code)
  const id = await invites.findUsable(codeHash, nowMs)
  if (id === undefined) throw new DomainError('invalid_invite')
  return { id, codeHash }
}
