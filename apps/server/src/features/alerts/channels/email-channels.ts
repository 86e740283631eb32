import {
  confirmChannel,
  confirmChannelPath,
  sendChannelCode,
  unsubscribeChannel,
} from '@astropelago/contract/alert-channels'
import { channelCodeHours } from '@astropelago/contract/limits'
import { formatCode, readCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userSubject } from '../../../audit-log.ts'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { UserCaller } from '../../../http/callers.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { MailLimits } from '../../../mail/mail-limits.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import { hashCode, hashTypedCode, makeCode } from '../../../one-time-code.ts'
import type { ChannelsStore, NamedChannel } from './channels-store.ts'
import { channelEvent } from './present-channel.ts'

const hourMs = 3_600_000

export type ConfirmAddress = ReturnType<typeof confirmAddresses>

export function confirmAddresses(
  options: Pick<FeatureBase, 'clock'> &
    Pick<Config, 'publicUrl' | 'siteName'> & {
      readonly mailer: Pick<Mailer, 'canSend' | 'post'>
      readonly limits: Pick<RateLimits, 'sendMail'>
      readonly mailLimits: Pick<MailLimits, 'countQuestion'>
    },
) {
  const { clock, mailer, limits, mailLimits, publicUrl, siteName } = options

  /**
   * Counts a mail against the limits. The caller stores the code and then calls `mailCode`.
   * @throws DomainError `mail_off`, `rate_limited` or, by `mailCode`, `overloaded`
   */
  return (user: UserCaller, address: string, request: FastifyRequest) => {
    if (!mailer.canSend) throw new DomainError('mail_off')
    limits.sendMail(request)
    mailLimits.countQuestion(user.userKey, address)
    const text = makeCode()
    const paragraphs = [
      `The account "${user.username}" wants alerts about devices and islands to come to this address. If it is yours, open ` +
        `this page within ${channelCodeHours} hours and confirm it:`,
      publicUrl + confirmChannelPath(formatCode(text)),
      'If this was not you, do nothing. No alert comes here unless you confirm.',
      `${siteName} at ${publicUrl}`,
    ]
    const mail = {
      kind: 'channel_confirmation',
      to: address,
      subject: `Confirm this address for alerts · ${siteName}`,
      text: `${paragraphs.join('\n\n')}\n`,
    }
    return {
      code: { hash: hashCode(text), expiresMs: clock() + channelCodeHours * hourMs },
      mailCode: () => {
        if (!mailer.post(async () => [mail])) throw new DomainError('overloaded')
      },
    }
  }
}

export async function emailChannelRoutes(
  app: FastifyInstance,
  options: Pick<FeatureBase, 'clock' | 'audit'> & {
    readonly serve: Serve
    readonly store: Pick<ChannelsStore, 'find' | 'replaceCode' | 'confirm' | 'unsubscribe'>
    readonly limits: Pick<RateLimits, 'useCode'>
    readonly confirmAddress: ConfirmAddress
  },
) {
  const { serve, store, clock, audit, limits, confirmAddress } = options
  // The reader of the mails acts on the user's behalf, without signing in.
  const note = ({ channel, username }: NamedChannel, action: string) =>
    audit.note({ actor: userSubject(username), ...channelEvent(channel, action) })

  serve(app, sendChannelCode, async ({ user, params: { id }, request }) => {
    const record = await store.find(user.userKey, id)
    const isWaiting =
      record !== undefined && (record.confirmedMs === null || record.endedMs !== null)
    if (!isWaiting || record.settings.kind !== 'email') throw new DomainError('not_found')
    const { code, mailCode } = confirmAddress(user, record.settings.address, request)
    if (!(await store.replaceCode(record, code))) throw new DomainError('not_found')
    mailCode()
    return { status: 204 }
  })

  serve(app, confirmChannel, async ({ body, request }) => {
    limits.useCode(request)
    const confirmed = await store.confirm(hashTypedCode(body.code, 'invalid_code'), clock())
    const settings = confirmed?.channel.settings
    if (confirmed === undefined || settings?.kind !== 'email') throw new DomainError('invalid_code')
    await note(confirmed, 'confirmed')
    return { status: 200, body: { address: settings.address } }
  })

  await app.register(async (scope) => {
    // Mail programs send a meaningless body of any content type.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)
    serve(scope, unsubscribeChannel, async ({ query }) => {
      const code = readCode(query.code)
      const ended = code === undefined ? undefined : await store.unsubscribe(code, clock())
      if (ended === undefined) throw new DomainError('invalid_code')
      await note(ended, 'unsubscribed')
      return { status: 204 }
    })
  })
}
