import { resetPasswordPath } from '@astropelago/contract/passwords'
import { confirmEmailPath } from '@astropelago/contract/email'
import { emailCodeHours, resetMailHours } from '@astropelago/contract/limits'
import type { Mail } from '../../mail/mailer.ts'

interface Recipient {
  readonly username: string
  readonly address: string
}

/**
 * The mails about an account. Links always begin with this site's own address, never with one from a
 * request.
 */
export interface AccountMails {
  readonly resetPassword: (to: Recipient, code: string) => Mail
  readonly confirmEmail: (to: Recipient, code: string) => Mail
  readonly passwordChanged: (to: Recipient) => Mail
  /** Goes to the previous address. */
  readonly emailChanged: (to: Recipient) => Mail
  readonly accountDeleted: (to: Recipient) => Mail
}

/** @param siteName the installation's name, in the subject and the last line of each mail */
export function accountMails(publicUrl: string, siteName: string): AccountMails {
  const mail = (
    kind: string,
    { username, address }: Recipient,
    subject: string,
    lines: string[],
  ) => ({
    kind,
    to: address,
    subject: `${subject} · ${siteName}`,
    text: [`Hello ${username},`, ...lines, `${siteName} at ${publicUrl}`].join('\n\n') + '\n',
  })
  const notYou =
    'If this was not you, somebody else can use your account. Set a new password at once by ' +
    `"Forgot your password?" at ${publicUrl}, or write to whoever runs this server.`

  return {
    resetPassword: (to, code) =>
      mail('password_reset', to, 'Set a new password', [
        `Somebody asked to set a new password for your account "${to.username}". If it was you, open ` +
          `this page within ${hours(resetMailHours)}:`,
        publicUrl + resetPasswordPath(code),
        'If it was not you, do nothing. Your password stays as it is.',
      ]),
    confirmEmail: (to, code) =>
      mail('email_confirmation', to, 'Confirm your e-mail address', [
        `Somebody wants to use this address for the account "${to.username}". If it was you, open ` +
          `this page within ${hours(emailCodeHours)} and confirm it:`,
        publicUrl + confirmEmailPath(code),
        'If it was not you, do nothing. The address is not used unless you confirm it.',
      ]),
    passwordChanged: (to) =>
      mail('password_changed', to, 'Your password was changed', [
        `The password of your account "${to.username}" was changed. All other browsers were signed out, ` +
          'and all API keys revoked.',
        notYou,
      ]),
    emailChanged: (to) =>
      mail('email_changed', to, 'Your e-mail address was changed', [
        `Your account "${to.username}" no longer uses this e-mail address.`,
        'If this was not you, somebody else can use your account. Change its password, or write to ' +
          'whoever runs this site.',
      ]),
    accountDeleted: (to) =>
      mail('account_deleted', to, 'Your account was deleted', [
        `Your account "${to.username}" was deleted, with all that was in it.`,
      ]),
  }
}

function hours(count: number): string {
  return count === 1 ? 'an hour' : `${count} hours`
}
