import { audited, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { AccountsStore } from './accounts-store.ts'
import { checkNewPassword } from './check-new-password.ts'
import type { CommonPasswords } from './common-passwords.ts'
import {
  confirmPassword,
  type ConfirmPasswordDeps,
  type PasswordOwner,
} from './confirm-password.ts'
import type { SessionOrigin } from './session-origin.ts'
import { startSession } from './start-session.ts'

interface ChangePasswordDeps extends ConfirmPasswordDeps {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly commonPasswords: CommonPasswords
  readonly audit: Pick<AuditLog, 'begin'>
}

interface PasswordChange {
  readonly password: string
  readonly newPassword: string
}

interface ChangePasswordOptions {
  /** The client's address; null if no limit applies. */
  readonly address: string | null
  readonly origin?: SessionOrigin
}

/**
 * Changes the signed-in user's password. All sessions and API keys end, and this browser gets a new
 * session.
 * @returns the token for its cookie
 * @throws DomainError with the first broken rule, `wrong_password`, `rate_limited`, `overloaded`
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  owner: PasswordOwner,
  { password, newPassword }: PasswordChange,
  { address, origin }: ChangePasswordOptions,
): Promise<string> {
  checkNewPassword(deps.commonPasswords, newPassword, owner.username)
  const from = await confirmPassword(deps, owner, password, address)
  const to = await deps.passwordHasher.hash(newPassword)
  const subject = userSubject(owner.username)
  await audited(deps.audit, { actor: subject, action: 'password.changed', subject }, async () => {
    const isReplaced = await deps.store.replacePassword(owner.userKey, from, to)
    // Another change came first.
    if (!isReplaced) throw new DomainError('wrong_password')
  })
  return await startSession(deps, owner.userKey, undefined, { origin, verifiedHash: to })
}
