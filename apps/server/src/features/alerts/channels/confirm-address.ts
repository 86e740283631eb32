import { confirmChannelPath } from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { MailLimits } from '../../../mail/mail-limits.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { hashCode, makeCode } from '../../../one-time-code.ts'

const hourMs = 3_600_000

export type AddressConfirmation = ReturnType<typeof confirmAddresses>

/** Asks the reader of an address for consent before alerts go there. */
export function confirmAddresses({
  clock,
  mailer,
  limits,
  mailLimits,
  publicUrl,
  siteName,
}: {
  readonly clock: Clock
  readonly mailer: Pick<Mailer, 'canSend' | 'post'>
  readonly limits: Pick<RateLimits, 'sendMail'>
  readonly mailLimits: Pick<MailLimits, 'countQuestion'>
  readonly publicUrl: string
  readonly siteName: string
}) {
  return {
    /**
     * Counts a mail against the limits.
     * @throws DomainError `mail_off` or `rate_limited`
     */
    checkMayWrite: (userKey: number, address: string, request: FastifyRequest) => {
      if (!mailer.canSend) throw new DomainError('mail_off')
      limits.sendMail(request)
      mailLimits.countQuestion(userKey, address)
    },
    makeCode: () => {
      const text = makeCode()
      const expiresMs = clock() + channelCodeHours * hourMs
      return { text, stored: { hash: hashCode(text), expiresMs } }
    },
    /** @throws DomainError `overloaded` */
    mail: ({ username }: { readonly username: string }, address: string, code: string) => {
      const paragraphs = [
        `The account "${username}" wants alerts about devices and islands to come to this address. If it is yours, open ` +
          `this page within ${channelCodeHours} hours and confirm it:`,
        publicUrl + confirmChannelPath(formatCode(code)),
        'If this was not you, do nothing. No alert comes here unless you confirm.',
        `${siteName} at ${publicUrl}`,
      ]
      const mail = {
        kind: 'channel_confirmation',
        to: address,
        subject: `Confirm this address for alerts · ${siteName}`,
        text: `${paragraphs.join('\n\n')}\n`,
      }
      if (!mailer.post(async () => [mail])) throw new DomainError('overloaded')
    },
  }
}
