import { resetPasswordPath } from '@astropelago/contract/passwords'
import { confirmEmailPath } from '@astropelago/contract/email'
import { emailCodeHours, resetMailHours } from '@astropelago/contract/limits'
import type { Mail } from '../../mail/mailer.ts'

interface Recipient {
  readonly username: string
  readonly address: string
}

/** Links in mails begin with this site's configured address, never with one from a request. */
export function accountMails(publicUrl: string, siteName: string) {
  const mail = (
    kind: string,
    { username, address }: Recipient,
    subject: string,
    lines: string[],
  ): Mail => ({
    kind,
    to: address,
    subject: `${subject} · ${siteName}`,
    text: [`Hello ${username},`, ...lines, `${siteName} at ${publicUrl}`].join('\n\n') + '\n',
  })
  const notYou =
    'If this was not you, somebody else can use your account. Set a new password at once by ' +
    `"Forgot your password?" at ${publicUrl}, or write to the operator of this server.`

  return {
    resetPassword: (to: Recipient, code: string) =>
      mail('password_reset', to, 'Set a new password', [
        `Somebody asked to set a new password for your account "${to.username}". If it was you, open ` +
          `this page within ${hours(resetMailHours)}:`,
        publicUrl + resetPasswordPath(code),
        'If it was not you, do nothing. Your password stays as it is.',
      ]),
    confirmEmail: (to: Recipient, code: string) =>
      mail('email_confirmation', to, 'Confirm your e-mail address', [
        `Somebody wants to use this address for the account "${to.username}". If it was you, open ` +
          `this page within ${hours(emailCodeHours)} and confirm it:`,
        publicUrl + confirmEmailPath(code),
        'If it was not you, do nothing. The address is not used unless you confirm it.',
      ]),
    passwordChanged: (to: Recipient) =>
      mail('password_changed', to, 'Your password was changed', [
        `The password of your account "${to.username}" was changed. All other browsers were signed out, ` +
          'and all API keys revoked.',
        notYou,
      ]),
    emailChanged: (to: Recipient) =>
      mail('email_changed', to, 'Your e-mail address was changed', [
        `Your account "${to.username}" no longer uses this e-mail address.`,
        'If this was not you, somebody else can use your account. Change its password, or write to ' +
          'the operator of this site.',
      ]),
    accountDeleted: (to: Recipient) =>
      mail('account_deleted', to, 'Your account was deleted', [
        `Your account "${to.username}" was deleted, with all that was in it.`,
      ]),
  }
}

function hours(count: number): string {
  return count === 1 ? 'an hour' : `${count} hours`
}
