import { resetCodeHours, resetMailHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import { audited, serverActor, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { Mail } from '../../mail/mailer.ts'
import { hashCode, hashTypedCode, makeCode } from '../../one-time-code.ts'
import type { AccountsParts } from './accounts-parts.ts'
import type { UserRecord } from './accounts-store.ts'
import { checkNewPassword } from './common-passwords.ts'
import type { EmailOwner } from './one-time-codes-store.ts'

const hourMs = 3_600_000
/** More than one, so a repeated request does not invalidate the code of an earlier mail. */
const passwordCodesPerUser = 3
const accountsPerAddress = 5

/** Issues a one-time code for setting a new password. It is not stored and can't be read again. */
export async function issuePasswordCode(
  { codes, clock }: Pick<AccountsParts, 'codes' | 'clock'>,
  userKey: number,
  hours = resetCodeHours,
) {
  const code = makeCode()
  const expiresMs = clock() + hours * hourMs
  await codes.insert(
    { codeHash: hashCode(code), userKey, purpose: 'password', email: null, expiresMs },
    passwordCodesPerUser,
  )
  return { code: formatCode(code), expiresMs }
}

/** @param account a username or an e-mail address, as typed */
export async function writePasswordCodes(
  parts: Pick<AccountsParts, 'store' | 'codes' | 'clock' | 'audit' | 'mails' | 'mailLimits'>,
  account: string,
): Promise<readonly Mail[]> {
  const written: Mail[] = []
  for (const owner of await findOwners(parts, account)) {
    if (!parts.mailLimits.mayWriteTo(owner.address)) continue
    const { code } = await issuePasswordCode(parts, owner.userKey, resetMailHours)
    await parts.audit.note({
      actor: serverActor,
      action: 'reset_code.mailed',
      subject: userSubject(owner.username),
    })
    written.push(parts.mails.resetPassword(owner, code))
  }
  return written
}

async function findOwners(
  { store, codes, clock }: Pick<AccountsParts, 'store' | 'codes' | 'clock'>,
  account: string,
): Promise<readonly EmailOwner[]> {
  // Usernames can't contain @.
  if (account.includes('@')) return await codes.findEmailOwners(account, accountsPerAddress)
  const user = await store.findUser(account)
  if (user === undefined) return []
  const { address } = await codes.findEmail(user.key, clock())
  return address === null ? [] : [{ userKey: user.key, username: user.username, address }]
}

/** A refused password does not use up the code. @throws DomainError `invalid_code`, or the broken rule */
export async function resetPassword(
  parts: Pick<
    AccountsParts,
    'store' | 'codes' | 'clock' | 'passwordHasher' | 'commonPasswords' | 'audit'
  >,
  { code, newPassword }: { readonly code: string; readonly newPassword: string },
): Promise<UserRecord> {
  const { store, codes, clock } = parts
  const codeHash = hashTypedCode(code, 'invalid_code')
  const found = await codes.findPasswordCode(codeHash, clock())
  if (found === undefined) throw new DomainError('invalid_code')
  checkNewPassword(parts.commonPasswords, newPassword, found.username)
  const passwordHash = await parts.passwordHasher.hash(newPassword)
  const subject = userSubject(found.username)
  return audited(parts.audit, { actor: subject, action: 'password.reset', subject }, async () => {
    const user = await store.resetPassword(codeHash, clock(), passwordHash)
    // Another request used the code while this password was hashed.
    if (user === undefined) throw new DomainError('invalid_code')
    return user
  })
}
