import { randomUUID } from 'node:crypto'
import { previewSchedule } from '@astropelago/contract/device-schedules'
import {
  createDeviceToken,
  deleteDevice,
  getPublicDevice,
  listDeviceTokens,
  listOwnDevices,
  listPublicDevices,
  registerDevice,
  renewDeviceTokens,
  revokeDeviceToken,
  updateDevice,
  type DeviceChanges,
} from '@astropelago/contract/devices'
import { tokensPerDevice } from '@astropelago/contract/limits'
import {
  listAllDevices,
  listUserDevices,
  removeDevice,
  type OperatorDevice,
} from '@astropelago/contract/operator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { CronTimes } from '../../cron-times.ts'
import { auditUser, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import { cutPage } from '../../page-position.ts'
import type { UnwrittenTimes } from '../../unwritten-times.ts'
import type { Presence, PresenceFeature } from '../presence/public.ts'
import { makeDeviceToken } from './device-token.ts'
import type { DeviceTokensStore } from './device-tokens-store.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'
import type { OperatorDevicesStore } from './operator/operator-devices-store.ts'
import {
  presentDeviceToken,
  presentFoundDevice,
  presentOwnDevice,
  presentOwnDevices,
} from './present-device.ts'
import type { PublicList } from './public/public-list.ts'

const previewedTimes = 3

export interface DevicesRoutesOptions
  extends Pick<FeatureBase, 'audit' | 'clock'>, Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly findUserKey: (username: string) => Promise<number | undefined>
  readonly store: DevicesStore
  readonly operatorDevices: Pick<OperatorDevicesStore, 'list'>
  readonly tokens: DeviceTokensStore
  readonly tokenUses: Pick<UnwrittenTimes, 'atMs'>
  readonly limitOf: (user: UserCaller) => number
  readonly list: PublicList
  readonly limitRenewals: (userKey: number) => void
}

export async function devicesRoutes(app: FastifyInstance, options: DevicesRoutesOptions) {
  const { serve, findUser, store, tokens, clock, presence, reports, tokenUses, list } = options
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

  serve(app, registerDevice, async ({ user, body, request }) => {
    refuseDemoSharing(user, body)
    const { userKey } = user
    const device = await store.insert(
      { ...body, id: randomUUID(), userKey, createdMs: clock() },
      limitOf(user),
    )
    if (device === undefined) throw new DomainError('device_limit')
    logEvent(request, user, 'device_registered', { device: device.id })
    return { status: 201, body: presentOwnDevice(device, presence, undefined) }
  })

  serve(app, updateDevice, async ({ user, params, body, request }) => {
    refuseDemoSharing(user, body)
    const device = await store.update(user.userKey, params.id, body, clock())
    if (device === undefined) throw new DomainError('not_found')
    logEvent(request, user, 'device_changed', { device: device.id })
    const [report] = await reports.read([device.key])
    return { status: 200, body: presentOwnDevice(device, presence, report) }
  })

  serve(app, previewSchedule, async ({ query: { expression, timeZone } }) => {
    const cron = new CronTimes(expression, timeZone)
    const times: string[] = []
    for (let atMs = clock(); times.length < previewedTimes;) {
      atMs = cron.nextMs(atMs)
      times.push(isoTime(atMs))
    }
    return { status: 200, body: { times } }
  })

  serve(app, deleteDevice, async ({ user, params, request }) => {
    const device = await store.delete(user.userKey, params.id)
    if (device === undefined) throw new DomainError('not_found')
    logEvent(request, user, 'device_deleted', { device: device.id })
    return { status: 204 }
  })

  serve(app, createDeviceToken, async ({ user, body, request }) => {
    if (body.scope === 'relay' && user.isDemo) throw new DomainError('demo_account')
    // A relay token lets its holder answer visitors in the host's name, which is more than an API key
    // for devices allows.
    if (body.scope === 'relay' && user.apiKeyId !== undefined) {
      throw new DomainError('missing_scope')
    }
    const { deviceId, label, scope } = body
    const device = await store.findOwn(user.userKey, deviceId)
    if (device === undefined) throw new DomainError('not_found')
    const { token, ...stored } = makeDeviceToken()
    const { id } = stored
    const outcome = await tokens.insertToken(
      { ...stored, deviceKey: device.key, label, scope, createdMs: clock() },
      tokensPerDevice,
    )
    // The device was deleted between the two calls.
    if (outcome === 'device_missing') throw new DomainError('not_found')
    if (outcome === 'limit_reached') throw new DomainError('token_limit')
    const details = { token: id, scope, apiKey: user.apiKeyId ?? null }
    await auditUser(audit, user, 'token.created', `device:${deviceId}`, details)
    logEvent(request, user, 'token_created', { device: deviceId, token: id })
    return { status: 201, body: { id, token, label, scope } }
  })

  serve(app, listDeviceTokens, async ({ user, params }) => {
    const device = await store.findOwn(user.userKey, params.id)
    if (device === undefined) throw new DomainError('not_found')
    const records = await tokens.listTokens(device.key)
    return { status: 200, body: records.map((token) => presentDeviceToken(token, tokenUses)) }
  })

  serve(app, revokeDeviceToken, async ({ user, params, request }) => {
    const deleted = await tokens.deleteToken(user.userKey, params.id)
    if (deleted === undefined) throw new DomainError('not_found')
    const { deviceId } = deleted
    const details = { token: params.id, apiKey: user.apiKeyId ?? null }
    await auditUser(audit, user, 'token.revoked', `device:${deviceId}`, details)
    logEvent(request, user, 'token_revoked', { device: deviceId, token: params.id })
    return { status: 204 }
  })

  // For a user who does not know which token leaked: none of the old ones works after the answer.
  serve(
    app,
    renewDeviceTokens,
    async ({ user, request }) => {
      limitRenewals(user.userKey)
      const renewals = await tokens.renewTokens(user.userKey, clock(), makeDeviceToken)
      if (renewals.length > 0) {
        const details = { tokens: renewals.length }
        await auditUser(audit, user, 'tokens.renewed', userSubject(user.username), details)
      }
      logEvent(request, user, 'tokens_renewed', { tokens: renewals.length })
      const body = renewals.map(({ deviceId, deviceLabel, label, scope, renewed }) => {
        const { id, token } = renewed
        return { deviceId, deviceLabel, id, token, label, scope }
      })
      return { status: 200, body }
    },
    {
      refuseCaller: ({ user }) => {
        if (user.isDemo) throw new DomainError('demo_account')
      },
    },
  )
}

export async function operatorDevicesRoutes(app: FastifyInstance, options: DevicesRoutesOptions) {
  const { serve, findUserKey, store, operatorDevices, presence } = options

  serve(app, listUserDevices, async ({ params: { username } }) => {
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    const devices = await store.listOwn(userKey)
    return { status: 200, body: devices.map((device) => presentOperatorDevice(device, presence)) }
  })

  serve(app, listAllDevices, async ({ query: { limit, ...query } }) => {
    const found = await operatorDevices.list({ ...query, limit: limit + 1 })
    const { shown, last } = cutPage(found, limit)
    const devices = shown.map(({ device, owner }) =>
      Object.assign(presentOperatorDevice(device, presence), { owner }),
    )
    return { status: 200, body: { devices, hasMore: last !== undefined } }
  })

  serve(
    app,
    removeDevice,
    async ({ params: { id } }) => {
      if ((await store.delete(null, id)) === undefined) throw new DomainError('not_found')
      return { status: 204 }
    },
    { audit: ({ params: { id } }) => ({ action: 'device.removed', subject: `device:${id}` }) },
  )
}

function presentOperatorDevice(device: DeviceRecord, presence: Presence): OperatorDevice {
  // Only the owner sees the report.
  const shown = presentOwnDevice(device, presence, undefined)
  const { id, label, visibility, status, link, createdAt, lastSeenAt, hidden } = shown
  return { id, label, visibility, status, link, createdAt, lastSeenAt, hidden }
}

function logEvent(
  request: FastifyRequest,
  { userKey }: UserCaller,
  event: string,
  what: Readonly<Record<string, string | number>>,
): void {
  request.log.info({ event, userKey, ...what, address: request.ip }, 'device event')
}

/** Anybody can begin a demo, and other installations would show what it says. @throws DomainError */
function refuseDemoSharing(
  { isDemo }: Pick<UserCaller, 'isDemo'>,
  { isShared = false }: Pick<DeviceChanges, 'isShared'>,
): void {
  if (isDemo && isShared) throw new DomainError('demo_account')
}
