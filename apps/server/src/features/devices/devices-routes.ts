import {
  createDeviceToken as createDeviceTokenRoute,
  deleteDevice,
  getPublicDevice,
  listDeviceTokens,
  listOwnDevices,
  listPublicDevices,
  registerDevice as registerDeviceRoute,
  revokeDeviceToken,
  updateDevice,
} from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { CachedTokens } from './cached-tokens.ts'
import { createDeviceToken } from './create-device-token.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DevicesStore } from './devices-store.ts'
import { endDeviceToken } from './end-device-token.ts'
import { endDevice } from './end-device.ts'
import { presentDeviceToken, presentFoundDevice, presentOwnDevice } from './present-device.ts'
import type { PublicList } from './public/public-list.ts'
import type { Publisher } from './public/publisher.ts'
import { registerDevice } from './register-device.ts'
import type { TokenUses } from './token-uses.ts'

interface DevicesRoutesOptions {
  readonly serve: Serve
  /** Who is signed in; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly store: DevicesStore
  readonly clock: Clock
  readonly presence: DevicePresence
  readonly tokens: CachedTokens
  readonly tokenUses: TokenUses
  readonly publisher: Publisher
  readonly list: PublicList
}

export async function devicesRoutes(app: FastifyInstance, options: DevicesRoutesOptions) {
  const { serve, findUser, store, clock, presence, tokens, tokenUses, publisher, list } = options

  serve(
    app,
    listPublicDevices,
    async ({ request, reply }) => {
      reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding')
      const prepared = await list.prepared()
      reply.header('etag', prepared.etag)
      if (matchesEtag(request.headers['if-none-match'], prepared.etag)) return { status: 304 }
      const encoding = prepared.encodingOf(request.headers['accept-encoding'])
      const bytes = encoding && (await list.encoded(prepared, encoding))
      if (encoding) reply.header('content-encoding', encoding)
      reply
        .header('x-total-count', list.total)
        .type('application/json; charset=utf-8')
        .send(bytes ?? prepared.json)
      return undefined
    },
    { answersHead: true },
  )

  serve(app, getPublicDevice, async ({ params, request }) => {
    const user = await findUser(request)
    const found = await store.find(user?.userKey ?? null, params.id)
    if (found === undefined) throw new DomainError('not_found')
    return { status: 200, body: await presentFoundDevice(found, presence) }
  })

  serve(app, listOwnDevices, async ({ user }) => {
    const devices = await store.listOwn(user.userKey)
    return { status: 200, body: devices.map((device) => presentOwnDevice(device, presence)) }
  })

  serve(app, registerDeviceRoute, async ({ user, body, request }) => {
    const device = await registerDevice({ store, clock }, user, body)
    publisher.noteDevice(device)
    request.log.info({ event: 'device_registered', device: device.id }, 'device registered')
    return { status: 201, body: presentOwnDevice(device, presence) }
  })

  serve(app, updateDevice, async ({ user, params, body, request }) => {
    const device = await store.update(user.userKey, params.id, body, clock())
    if (device === undefined) throw new DomainError('not_found')
    publisher.noteDevice(device)
    request.log.info({ event: 'device_changed', device: device.id }, 'device changed')
    return { status: 200, body: presentOwnDevice(device, presence) }
  })

  serve(app, deleteDevice, async ({ user, params, request }) => {
    const ends = { store, tokens, presence, publisher }
    const device = await endDevice(ends, user.userKey, params.id)
    request.log.info({ event: 'device_deleted', device: device.id }, 'device deleted')
    return { status: 204 }
  })

  serve(app, createDeviceTokenRoute, async ({ user, body, request }) => {
    const created = await createDeviceToken({ store, clock }, user.userKey, body)
    request.log.info({ event: 'token_created', token: created.id }, 'device token created')
    return { status: 201, body: created }
  })

  serve(app, listDeviceTokens, async ({ user, params }) => {
    const device = await store.findOwn(user.userKey, params.id)
    if (device === undefined) throw new DomainError('not_found')
    const records = await store.listTokens(device.key)
    return {
      status: 200,
      body: records.map((token) =>
        presentDeviceToken({
          ...token,
          lastUsedMs: tokenUses.lastUsedMs(token.key) ?? token.lastUsedMs,
        }),
      ),
    }
  })

  serve(app, revokeDeviceToken, async ({ user, params, request }) => {
    await endDeviceToken({ store, tokens }, user.userKey, params.id)
    request.log.info({ event: 'token_revoked', token: params.id }, 'device token revoked')
    return { status: 204 }
  })
}
