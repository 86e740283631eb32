import {
  createDeviceToken as createDeviceTokenRoute,
  deleteDevice,
  getPublicDevice,
  listDeviceTokens,
  listOwnDevices,
  listPublicDevices,
  registerDevice as registerDeviceRoute,
  renewDeviceTokens as renewDeviceTokensRoute,
  revokeDeviceToken,
  updateDevice,
} from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import type { UserCaller } from '../../http/callers.ts'
import { createDeviceToken } from './create-device-token.ts'
import type { DeviceLimit } from './device-limit.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceReports } from './device-reports.ts'
import type { DevicesStore } from './devices-store.ts'
import { endDeviceToken } from './end-device-token.ts'
import { endDevice } from './end-device.ts'
import {
  presentDeviceToken,
  presentFoundDevice,
  presentOwnDevice,
  presentOwnDevices,
} from './present-device.ts'
import type { PublicList } from './public/public-list.ts'
import { registerDevice } from './register-device.ts'
import { renewDeviceTokens } from './renew-device-tokens.ts'
import { withLastUse, type TokenUses } from './token-uses.ts'

interface DevicesRoutesOptions {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly store: DevicesStore
  readonly clock: Clock
  readonly presence: DevicePresence
  readonly reports: DeviceReports
  readonly tokenUses: TokenUses
  readonly limitOf: DeviceLimit
  readonly list: PublicList
  readonly audit: Pick<AuditLog, 'note'>
  /** Counts a user's renewal. Throws if there were too many. */
  readonly limitRenewals: (userKey: number) => void
}

export async function devicesRoutes(app: FastifyInstance, options: DevicesRoutesOptions) {
  const { serve, findUser, store, clock, presence, reports, tokenUses, list } = options
  const { limitOf, audit, limitRenewals } = options

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
    return { status: 200, body: await presentOwnDevices(devices, presence, reports) }
  })

  serve(app, registerDeviceRoute, async ({ user, body, request }) => {
    const device = await registerDevice({ store, clock, limitOf }, user, body)
    logEvent(request, user, 'device_registered', { device: device.id })
    return { status: 201, body: presentOwnDevice(device, presence, undefined) }
  })

  serve(app, updateDevice, async ({ user, params, body, request }) => {
    const device = await store.update(user.userKey, params.id, body, clock())
    if (device === undefined) throw new DomainError('not_found')
    logEvent(request, user, 'device_changed', { device: device.id })
    const [report] = await reports.read([device.key])
    return { status: 200, body: presentOwnDevice(device, presence, report) }
  })

  serve(app, deleteDevice, async ({ user, params, request }) => {
    const device = await endDevice(store, user.userKey, params.id)
    logEvent(request, user, 'device_deleted', { device: device.id })
    return { status: 204 }
  })

  serve(app, createDeviceTokenRoute, async ({ user, body, request }) => {
    if (body.scope === 'relay' && user.isDemo) throw new DomainError('demo_account')
    // A relay token lets its holder answer visitors in the host's name, which is more than an API key
    // for devices allows.
    if (body.scope === 'relay' && user.apiKeyId !== undefined) {
      throw new DomainError('missing_scope')
    }
    const created = await createDeviceToken({ store, clock }, user.userKey, body)
    await audit.note({
      actor: actorOf(user),
      action: 'token.created',
      subject: `device:${body.deviceId}`,
      details: { token: created.id, scope: created.scope, apiKey: user.apiKeyId ?? null },
    })
    logEvent(request, user, 'token_created', { device: body.deviceId, token: created.id })
    return { status: 201, body: created }
  })

  serve(app, listDeviceTokens, async ({ user, params }) => {
    const device = await store.findOwn(user.userKey, params.id)
    if (device === undefined) throw new DomainError('not_found')
    const records = await store.listTokens(device.key)
    return {
      status: 200,
      body: records.map((token) => presentDeviceToken(withLastUse(token, tokenUses))),
    }
  })

  serve(app, revokeDeviceToken, async ({ user, params, request }) => {
    const { deviceId } = await endDeviceToken(store, user.userKey, params.id)
    await audit.note({
      actor: actorOf(user),
      action: 'token.revoked',
      subject: `device:${deviceId}`,
      details: { token: params.id, apiKey: user.apiKeyId ?? null },
    })
    logEvent(request, user, 'token_revoked', { device: deviceId, token: params.id })
    return { status: 204 }
  })

  serve(
    app,
    renewDeviceTokensRoute,
    async ({ user, request }) => {
      limitRenewals(user.userKey)
      const renewed = await renewDeviceTokens({ store, clock }, user.userKey)
      if (renewed.length > 0) {
        await audit.note({
          actor: actorOf(user),
          action: 'tokens.renewed',
          subject: userSubject(user.username),
          details: { tokens: renewed.length },
        })
      }
      logEvent(request, user, 'tokens_renewed', { tokens: renewed.length })
      return { status: 200, body: renewed }
    },
    {
      refuseCaller: ({ user }) => {
        if (user.isDemo) throw new DomainError('demo_account')
      },
    },
  )
}

type DeviceEvent =
  | 'device_registered'
  | 'device_changed'
  | 'device_deleted'
  | 'token_created'
  | 'token_revoked'
  | 'tokens_renewed'

/** Logs who did what from where, with the keys and ids of the database. */
function logEvent(
  request: FastifyRequest,
  { userKey }: UserCaller,
  event: DeviceEvent,
  what: Readonly<Record<string, string | number>>,
): void {
  request.log.info({ event, userKey, ...what, address: request.ip }, 'device event')
}
