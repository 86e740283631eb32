import { resetMailHours } from '@astropelago/contract/limits'
import { serverActor, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { EmailOwner, OneTimeCodesStore } from './one-time-codes-store.ts'
import { issuePasswordCode } from './reset-password.ts'

/** Mails for one address that several accounts share. */
const accountsPerAddress = 5

interface MailPasswordCodeDeps {
  readonly store: Pick<AccountsStore, 'findUser'>
  readonly codes: Pick<OneTimeCodesStore, 'insert' | 'findEmail' | 'findEmailOwners'>
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'note'>
  readonly mails: Pick<AccountMails, 'resetPassword'>
  readonly mailLimits: Pick<MailLimits, 'mayWriteTo'>
}

/**
 * Writes the mails for resetting a password.
 * @param account a username or an e-mail address, as typed
 */
export async function writePasswordCodes(
  deps: MailPasswordCodeDeps,
  account: string,
): Promise<readonly Mail[]> {
  const { mails, audit, mailLimits } = deps
  const written: Mail[] = []
  for (const owner of await findOwners(deps, account)) {
    if (!mailLimits.mayWriteTo(owner.address)) continue
    const { code } = await issuePasswordCode(deps, owner.userKey, resetMailHours)
    await audit.note({
      actor: serverActor,
      action: 'reset_code.mailed',
      subject: userSubject(owner.username),
    })
    written.push(mails.resetPassword(owner, code))
  }
  return written
}

async function findOwners(
  { store, codes, clock }: MailPasswordCodeDeps,
  account: string,
): Promise<readonly EmailOwner[]> {
  // Usernames can't contain @.
  if (account.includes('@')) return await codes.findEmailOwners(account, accountsPerAddress)
  const user = await store.findUser(account)
  if (user === undefined) return []
  const { address } = await codes.findEmail(user.key, clock())
  return address === null ? [] : [{ userKey: user.key, username: user.username, address }]
}
