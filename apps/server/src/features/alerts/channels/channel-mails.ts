import { confirmChannelPath } from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { Mail } from '../../../mail/mailer.ts'

/** Asks the reader of an address for consent to receive alerts there. */
export function confirmationMail(
  {
    username,
    address,
    publicUrl,
    siteName,
  }: {
    readonly username: string
    readonly address: string
    readonly publicUrl: string
    readonly siteName: string
  },
  code: string,
): Mail {
  return {
    kind: 'channel_confirmation',
    to: address,
    subject: `Confirm this address for alerts · ${siteName}`,
    text: `${[
      `The account "${username}" wants alerts about devices and islands to come to this address. If it is yours, open ` +
        `this page within ${channelCodeHours} hours and confirm it:`,
      publicUrl + confirmChannelPath(formatCode(code)),
      'If this was not you, do nothing. No alert comes here unless you confirm.',
      `${siteName} at ${publicUrl}`,
    ].join('\n\n')}\n`,
  }
}
