import { resetCodeHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import { audited, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { hashCode, hashTypedCode, makeCode } from '../../one-time-code.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import { checkNewPassword } from './check-new-password.ts'
import type { CommonPasswords } from './common-passwords.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import type { PasswordHasher } from './password-hasher.ts'

const hourMs = 3_600_000
/** More than one, so a repeated request does not invalidate the code of an earlier mail. */
const passwordCodesPerUser = 3

interface IssueCodeDeps {
  readonly codes: Pick<OneTimeCodesStore, 'insert'>
  readonly clock: Clock
}

export interface IssuedCode {
  /** As shown to people. It is not stored and can't be read again. */
  readonly code: string
  readonly expiresMs: number
}

/** Issues a one-time code for setting a new password. */
export async function issuePasswordCode(
  { codes, clock }: IssueCodeDeps,
  userKey: number,
  hours = resetCodeHours,
): Promise<IssuedCode> {
  const code = makeCode()
  const expiresMs = clock() + hours * hourMs
  await codes.insert(
    { codeHash: hashCode(code), userKey, purpose: 'password', email: null, expiresMs },
    passwordCodesPerUser,
  )
  return { code: formatCode(code), expiresMs }
}

interface ResetPasswordDeps {
  readonly store: Pick<AccountsStore, 'resetPassword'>
  readonly codes: Pick<OneTimeCodesStore, 'findPasswordCode'>
  readonly clock: Clock
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly audit: Pick<AuditLog, 'begin'>
}

/**
 * Sets a new password with a code. A refused password does not use up the code.
 * @throws DomainError `invalid_code`, or the first broken rule
 */
export async function resetPassword(
  { store, codes, clock, passwordHasher, commonPasswords, audit }: ResetPasswordDeps,
  { code, newPassword }: { readonly code: string; readonly newPassword: string },
): Promise<UserRecord> {
  const codeHash = hashTypedCode(code, 'invalid_code')
  const found = await codes.findPasswordCode(codeHash, clock())
  if (found === undefined) throw new DomainError('invalid_code')
  checkNewPassword(commonPasswords, newPassword, found.username)
  const passwordHash = await passwordHasher.hash(newPassword)
  const subject = userSubject(found.username)
  return audited(audit, { actor: subject, action: 'password.reset', subject }, async () => {
    const user = await store.resetPassword(codeHash, clock(), passwordHash)
    // Another request used the code while this password was hashed.
    if (user === undefined) throw new DomainError('invalid_code')
    return user
  })
}
