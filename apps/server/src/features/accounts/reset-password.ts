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
/** So that asking again and again neither ends the code of an earlier mail nor leaves too many about. */
const passwordCodesPerUser = 3

interface IssueCodeDeps {
  readonly codes: Pick<OneTimeCodesStore, 'insert'>
  readonly clock: Clock
}

export interface IssuedCode {
  /** As people see it. It is not kept: nobody can read it again. */
  readonly code: string
  readonly expiresMs: number
}

/** Makes a code by which a new password can be set, once. */
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
 * Sets a new password by a code. A password that is refused leaves the code as it was.
 * @throws DomainError `invalid_code`, or the first rule that is broken
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
    // Used up while this one was hashed.
    if (user === undefined) throw new DomainError('invalid_code')
    return user
  })
}
