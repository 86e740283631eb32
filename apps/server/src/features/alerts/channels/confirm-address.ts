import { channelCodeHours } from '@astropelago/contract/limits'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { MailLimits } from '../../../mail/mail-limits.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { hashCode, makeCode } from '../../../one-time-code.ts'
import { confirmationMail } from './channel-mails.ts'
import type { ConfirmationCode } from './channels-store.ts'

/** Asks the reader of an address for consent before alerts go there. */
export interface AddressConfirmation {
  /**
   * Counts a mail against the limits.
   * @throws DomainError `mail_off` or `rate_limited`
   */
  readonly checkMayWrite: (userKey: number, address: string, request: FastifyRequest) => void
  readonly makeCode: () => { readonly text: string; readonly kept: ConfirmationCode }
  /** @throws DomainError `overloaded` */
  readonly mail: (user: { readonly username: string }, address: string, code: string) => void
}

interface AddressConfirmationDeps {
  readonly clock: Clock
  readonly mailer: Pick<Mailer, 'canSend' | 'post'>
  readonly limits: Pick<RateLimits, 'sendMail'>
  readonly mailLimits: Pick<MailLimits, 'countQuestion'>
  readonly publicUrl: string
  readonly siteName: string
}

const hourMs = 3_600_000

export function confirmAddresses(deps: AddressConfirmationDeps): AddressConfirmation {
  const { clock, mailer, limits, mailLimits, publicUrl, siteName } = deps
  return {
    checkMayWrite: (userKey, address, request) => {
      if (!mailer.canSend) throw new DomainError('mail_off')
      limits.sendMail(request)
      mailLimits.countQuestion(userKey, address)
    },
    makeCode: () => {
      const text = makeCode()
      const expiresMs = clock() + channelCodeHours * hourMs
      return { text, kept: { hash: hashCode(text), expiresMs } }
    },
    mail: ({ username }, address, code) => {
      const mail = confirmationMail({ username, address, publicUrl, siteName }, code)
      if (!mailer.post(async () => [mail])) throw new DomainError('overloaded')
    },
  }
}
