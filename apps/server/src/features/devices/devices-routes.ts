import {
  createDeviceToken as createDeviceTokenRoute,
  deleteDevice,
  listDeviceTokens,
  listOwnDevices,
  listPublicDevices,
  registerDevice as registerDeviceRoute,
  revokeDeviceToken,
  updateDevice,
} from '@astropelago/contract/devices'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import { createDeviceToken } from './create-device-token.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DevicesStore } from './devices-store.ts'
import { presentDeviceToken, presentOwnDevice, presentPublicDevice } from './present-device.ts'
import type { PublicDevices } from './public/public-devices.ts'
import type { PublicList } from './public/public-list.ts'
import { registerDevice } from './register-device.ts'
import type { TokenUses } from './token-uses.ts'

interface DevicesRoutesOptions {
  readonly serve: Serve
  readonly store: DevicesStore
  readonly clock: Clock
  readonly presence: DevicePresence
  readonly publicDevices: PublicDevices
  readonly publicList: PublicList
  readonly tokenUses: TokenUses
}

export async function devicesRoutes(app: FastifyInstance, options: DevicesRoutesOptions) {
  const { serve, store, clock, presence, publicDevices, publicList, tokenUses } = options

  serve(
    app,
    listPublicDevices,
    async ({ request, reply }) => {
      reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding')
      const list = await publicList.prepared()
      reply.header('etag', list.etag)
      if (matchesEtag(request.headers['if-none-match'], list.etag)) return { status: 304 }
      const encoding = list.encodingOf(request.headers['accept-encoding'])
      const bytes = encoding && (await publicList.encoded(list, encoding))
      if (encoding) reply.header('content-encoding', encoding)
      reply
        .header('x-total-count', publicList.total)
        .type('application/json; charset=utf-8')
        .send(bytes ?? list.json)
      return undefined
    },
    { answersHead: true },
  )

  serve(app, listOwnDevices, async ({ user }) => {
    const devices = await store.listOwn(user.userKey)
    return { status: 200, body: devices.map((device) => presentOwnDevice(device, presence)) }
  })

  serve(app, registerDeviceRoute, async ({ user, body, request }) => {
    const device = await registerDevice({ store, clock }, user, body)
    publicDevices.noteDevice(device)
    request.log.info({ event: 'device_registered', device: device.id }, 'device registered')
    const { visibility } = device
    return { status: 201, body: { ...presentPublicDevice(device, presence), visibility } }
  })

  serve(app, updateDevice, async ({ user, params, body, request }) => {
    const device = await store.update(user.userKey, params.id, body)
    if (device === undefined) throw new DomainError('not_found')
    publicDevices.noteDevice(device)
    request.log.info({ event: 'device_changed', device: device.id }, 'device changed')
    return { status: 200, body: presentOwnDevice(device, presence) }
  })

  serve(app, deleteDevice, async ({ user, params, request }) => {
    const device = await store.delete(user.userKey, params.id)
    if (device === undefined) throw new DomainError('not_found')
    presence.forget(device.key)
    publicDevices.noteDeleted(device.key)
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
    const tokens = await store.listTokens(device.key)
    return {
      status: 200,
      body: tokens.map((token) =>
        presentDeviceToken({
          ...token,
          lastUsedMs: tokenUses.lastUsedMs(token.key) ?? token.lastUsedMs,
        }),
      ),
    }
  })

  serve(app, revokeDeviceToken, async ({ user, params, request }) => {
    const tokenKey = await store.deleteToken(user.userKey, params.id)
    if (tokenKey === undefined) throw new DomainError('not_found')
    request.log.info({ event: 'token_revoked', token: params.id }, 'device token revoked')
    return { status: 204 }
  })
}
