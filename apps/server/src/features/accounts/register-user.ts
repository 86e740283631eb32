import { brokenCredentialRule, type NewAccount } from '@astropelago/contract/accounts'
import { readCode } from '@astropelago/contract/one-time-code'
import { DomainError } from '../../domain-error.ts'
import { hashCode } from '../../one-time-code.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsParts } from './accounts-parts.ts'
import { InviteUnusable, type NewUser, type UserRecord } from './accounts-store.ts'
import { checkNewPassword } from './common-passwords.ts'
import { startSession, type SessionOrigin } from './start-session.ts'

type RegisterUserDeps = Pick<
  AccountsParts,
  | 'store'
  | 'clock'
  | 'passwordHasher'
  | 'commonPasswords'
  | 'isOperator'
  | 'invites'
  | 'registration'
>

/** @throws DomainError with the first broken rule; `invalid_invite` and `username_taken` come last */
export async function registerUser(
  deps: RegisterUserDeps,
  { invite, ...credentials }: NewAccount,
  presentedToken: string | undefined,
  origin?: SessionOrigin,
) {
  const used = deps.registration === 'invite' ? await findInvite(deps, invite) : undefined
  const broken = brokenCredentialRule(credentials)
  if (broken === 'required') throw new DomainError('invalid_input')
  if (broken === 'username') throw new DomainError('invalid_username')
  const username = credentials.username.trim()
  checkNewPassword(deps.commonPasswords, credentials.password, username)

  const passwordHash = await deps.passwordHasher.hash(credentials.password)
  // Only the command line creates operators, or the first person to register the name would become one.
  // Checked after the hash, so the response time does not distinguish it from other taken names.
  if (deps.isOperator({ username, isDemo: false })) throw new DomainError('username_taken')
  const user = await insertUser(
    deps.store,
    { username, passwordHash, isDemo: false, createdMs: deps.clock(), expiresMs: null },
    used?.codeHash,
  )
  const token = await startSession(deps, user.key, presentedToken, { origin })
  return { user, token, inviteId: used?.id ?? null }
}

/** Checked first: without an invite, a caller learns nothing and costs no hash. */
async function findInvite({ invites, clock }: RegisterUserDeps, text: string | undefined) {
  if (text === undefined || text.trim() === '') throw new DomainError('invite_required')
  const code = readCode(text)
  if (code === undefined) throw new DomainError('invalid_invite')
  const codeHash = hashCode(code)
  const id = await invites.findUsable(codeHash, clock())
  if (id === undefined) throw new DomainError('invalid_invite')
  return { id, codeHash }
}

/** @throws DomainError `username_taken`, `invalid_invite` */
export async function insertUser(
  store: AccountsParts['store'],
  user: NewUser,
  inviteHash?: Uint8Array,
): Promise<UserRecord> {
  try {
    return await store.insertUser(user, inviteHash)
  } catch (error) {
    if (error instanceof InviteUnusable) throw new DomainError('invalid_invite', { cause: error })
    if (!(error instanceof UniqueViolation)) throw error
    throw new DomainError('username_taken', { cause: error })
  }
}
