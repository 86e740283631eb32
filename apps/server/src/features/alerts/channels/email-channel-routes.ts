import {
  confirmChannel,
  sendChannelCode,
  unsubscribeChannel,
} from '@astropelago/contract/alert-channels'
import { readCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { userSubject } from '../../../audit-log.ts'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { hashTypedCode } from '../../../one-time-code.ts'
import type { ChannelsStore, NamedChannel } from './channels-store.ts'
import type { AddressConfirmation } from './confirm-address.ts'
import { channelEvent } from './present-channel.ts'

/** Confirming an e-mail address for alerts, and ending alerts to it. */
export async function emailChannelRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    clock,
    audit,
    limits,
    addresses,
  }: Pick<FeatureBase, 'clock' | 'audit'> & {
    readonly serve: Serve
    readonly store: Pick<ChannelsStore, 'find' | 'replaceCode' | 'confirm' | 'unsubscribe'>
    readonly limits: Pick<RateLimits, 'useCode'>
    readonly addresses: AddressConfirmation
  },
) {
  // The reader of the mails acts on the user's behalf, without signing in.
  const note = ({ channel, username }: NamedChannel, action: string) =>
    audit.note({ actor: userSubject(username), ...channelEvent(channel, action) })

  serve(app, sendChannelCode, async ({ user, params: { id }, request }) => {
    const record = await store.find(user.userKey, id)
    const isWaiting =
      record !== undefined && (record.confirmedMs === null || record.endedMs !== null)
    if (!isWaiting || record.settings.kind !== 'email') throw new DomainError('not_found')
    const { address } = record.settings
    addresses.checkMayWrite(user.userKey, address, request)
    const code = addresses.makeCode()
    if (!(await store.replaceCode(record, code.stored))) throw new DomainError('not_found')
    addresses.mail(user, address, code.text)
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
