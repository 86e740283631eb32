import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import type { TokenScope } from '@astropelago/contract/devices'
import { devicesPerDemoUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { EarlyParts } from '../../http/early-answers.ts'
import { hourlyLimit, type RateLimits } from '../../http/rate-limits.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { PublicMessages } from '../../public-messages.ts'
import type { Reportable } from '../../reportable.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { UnwrittenTimes } from '../../unwritten-times.ts'
import type { Presence, PresenceFeature } from '../presence/public.ts'
import { authenticateDevice, cachedTokens } from './cached-tokens.ts'
import { devicesCsvRoutes } from './csv/devices-csv-routes.ts'
import { sqlDeviceImportsStore } from './csv/sql-device-imports-store.ts'
import {
  devicesRoutes,
  operatorDevicesRoutes,
  type DevicesRoutesOptions,
} from './devices-routes.ts'
import type { DevicesStore } from './devices-store.ts'
import { sqlOperatorDevicesStore } from './operator/sql-operator-devices-store.ts'
import {
  isPublic,
  presentDeviceToken,
  presentOwnDevices,
  presentPublicDevice,
} from './present-device.ts'
import { PublicDevices } from './public/public-devices.ts'
import { answerUnchangedList, PublicList } from './public/public-list.ts'
import { createPublisher } from './public/publisher.ts'
import { sqlDeviceTokensStore } from './sql-device-tokens-store.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'

const tokenUsesFlushMs = 10 * 60_000
const tokenUsesRestMs = 10
/** Each row may be on a different page, and a heartbeat may have to wait for one such write. */
const usesPerWrite = 100
/** For the final write, when no heartbeat waits any more. */
const usesPerLastWrite = 20_000
/** Counting a million devices takes PostgreSQL 50 ms, so the number is cached. */
const countedMs = 10_000
const retryMs = 1000
const devicesPerTurn = 100
const renewalsPerHour = 10
/** Includes dry runs, because a file with the most lines allowed takes 20 to 100 ms to process. */
const importsPerHour = 120

interface DevicesFeatureOptions extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly messages: PublicMessages
  readonly config: Pick<Config, 'maxDevices' | 'maxDevicesPerUser'>
}

export async function devicesFeature(
  { storage, cluster, changes, clock, log, schedule, audit, metrics }: FeatureBase,
  { presence, reports, messages, config }: DevicesFeatureOptions,
) {
  const { maxDevices, maxDevicesPerUser } = config
  const store = sqlDevicesStore(storage, { maxDevices })
  const tokensStore = sqlDeviceTokensStore(storage)
  const operatorDevices = sqlOperatorDevicesStore(storage)
  const tokens = await cachedTokens(tokensStore)
  // A durable write for each use would double the cost of a heartbeat. A crash loses those since the last.
  const tokenUses = new UnwrittenTimes()
  const write = tokensStore.recordTokenUses
  const devices = await PublicDevices.load(store.loadPublic(), presence)
  const list = new PublicList({ devices, presence, changes: messages, clock })
  const publisher = createPublisher({
    devices,
    messages: messages.of('device', (key) => devices.json(key)),
    list,
  })
  schedule.every(tokenUsesFlushMs, 'could not write the last uses of tokens', (signal) =>
    tokenUses.flush({ write, size: usesPerWrite, rest: () => wait(tokenUsesRestMs), signal }),
  )
  schedule.atEnd(async () => {
    await tokenUses.flush({ write, size: usesPerLastWrite })
  })
  measureDevices({ metrics, clock }, operatorDevices.count, presence)

  const readDevices = async (keys: readonly number[]) => {
    const found = new Map((await store.read(keys)).map((device) => [device.key, device]))
    for (const [at, key] of keys.entries()) {
      const device = found.get(key)
      if (device === undefined) {
        tokens.forgetDevice(key)
        presence.forget(key)
        publisher.delete(key)
      } else {
        await presence.setSchedule(key, device.schedule)
        publisher.set(device)
      }
      if (at % devicesPerTurn === devicesPerTurn - 1) await endOfTurn()
    }
  }
  const queueOf = (run: (keys: readonly number[]) => Promise<void>) => {
    const queue = new KeyedQueue<number>({
      run: (keys) => run([...keys]),
      retryAfterMs: () => retryMs,
      onFailure: (error) => {
        if (error instanceof StorageUnavailable) return
        log.error({ err: error }, 'devices were not read')
      },
    })
    schedule.atEnd(() => queue.stop())
    return queue
  }
  const unreadTokens = queueOf(tokens.relearn)
  const unreadDevices = queueOf(readDevices)
  changes.subscribe('tokens', ({ keys }) => unreadTokens.add(...keys))
  changes.subscribe('devices', ({ keys }) => unreadDevices.add(...keys))
  // What is still on its way into memory is not published yet.
  cluster.holdCursorsWhile(() => !unreadDevices.isIdle)
  cluster.onLead(publisher.publishAgain)

  const parts = {
    store,
    tokens: tokensStore,
    imports: sqlDeviceImportsStore(storage, { maxDevices }),
    operatorDevices,
    list,
    clock,
    presence,
    reports,
    tokenUses,
    audit,
    limitOf: ({ isDemo }: Pick<UserCaller, 'isDemo'>) =>
      isDemo ? Math.min(devicesPerDemoUser, maxDevicesPerUser) : maxDevicesPerUser,
    limitRenewals: hourlyLimit(renewalsPerHour, cluster.size),
    limitImports: hourlyLimit(importsPerHour, cluster.size),
  }

  const ownData: OwnDataKind = {
    kind: 'devices',
    count: store.countOwn,
    text: (count) => counted(count, 'device with its tokens', 'devices with their tokens'),
    read: async function* (userKey) {
      const own = await store.listOwn(userKey)
      const shown = await presentOwnDevices(own, presence, reports)
      for (const [at, device] of own.entries()) {
        const ofDevice = await tokensStore.listTokens(device.key)
        yield JSON.stringify({
          ...shown[at],
          tokens: ofDevice.map((token) => presentDeviceToken(token, tokenUses)),
        })
      }
    },
  }

  return {
    list,
    findDevice: (token: string) => tokens.findDevice(token, 'report'),
    isTokenHeld: tokens.isHeld,
    onTokenEnd: tokens.onEnd,
    findOwnDeviceKey: async (userKey: number, id: string) =>
      (await store.findOwn(userKey, id))?.key,
    /** Public devices, and the caller's own; `userKey` is null for a visitor. */
    findForAnyone: store.find,
    /** Those of these devices that are public, by key. */
    readPublicDevices: async (keys: readonly number[]) => {
      const found = (await store.read(keys)).filter(isPublic)
      return new Map(found.map((device) => [device.key, presentPublicDevice(device, presence)]))
    },
    recordTokenUse: (tokenKey: number) => tokenUses.record(tokenKey, clock()),
    setStatus: publisher.setStatus,
    listen: publisher.listen,
    listed: { read: () => list.read(), changes: messages, onWithdraw: list.onWithdraw },
    /** Those that other installations may show. */
    shared: {
      keys: devices.shared,
      read: (key: number) => (devices.shared.has(key) ? devices.read(key) : undefined),
    },
    listOwn: store.listOwn,
    listShown: store.listShown,
    readOwners: store.readOwners,
    ownData,
    figures: operatorDevices.figures,
    reportable: reportableDevices(store),
    authenticate: (scope: TokenScope, limitBadTokens: RateLimits['badDeviceToken']) =>
      authenticateDevice({ tokens, cluster, scope, limitBadTokens }),
    routes: async (
      app: FastifyInstance,
      given: Pick<DevicesRoutesOptions, 'serve' | 'findUser' | 'findUserKey'>,
    ) => {
      const all = { ...parts, ...given }
      await devicesRoutes(app, all)
      await operatorDevicesRoutes(app, all)
      await app.register(devicesCsvRoutes, all)
    },
    answerEarly: (early: EarlyParts) => answerUnchangedList(list, early),
  }
}

function reportableDevices(
  store: Pick<DevicesStore, 'find' | 'readById' | 'setHidden'>,
): Reportable {
  const read: Reportable['read'] = async (ids) => {
    const found = await store.readById(ids)
    return new Map(
      found.map(({ device, username }) => {
        const { hiddenMs: atMs, hiddenReason } = device
        const subject = {
          name: device.label,
          link: device.link,
          author: username,
          isPublic: device.visibility === 'public',
          hidden: atMs === null ? null : { atMs, reason: hiddenReason ?? '' },
        }
        return [device.id, subject]
      }),
    )
  }
  return {
    find: async (userKey, id) => {
      const found = await store.find(userKey, id)
      return found === undefined || found.isOwn ? undefined : (await read([id])).get(id)
    },
    read,
    setHidden: async (id, hidden) => (await store.setHidden(id, hidden)) !== undefined,
  }
}

function measureDevices(
  { metrics, clock }: Pick<FeatureBase, 'metrics' | 'clock'>,
  countAll: () => Promise<number>,
  presence: Pick<Presence, 'count'>,
): void {
  let total = 0
  let countedAtMs = Number.NEGATIVE_INFINITY
  const readTotal = async () => {
    if (clock() - countedAtMs < countedMs) return
    countedAtMs = clock()
    try {
      total = await countAll()
    } catch (error) {
      // Keep the last number, so that the other metrics can be read while the storage is unavailable.
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  metrics.gauge({
    name: 'astropelago_devices',
    help: 'Devices of all users by status, on every server the same ones',
    labels: ['status'],
    read: async () => {
      await readTotal()
      const { online, offline } = presence.count()
      const unknown = Math.max(0, total - online - offline)
      return Object.entries({ online, offline, unknown }).map(([status, value]) => ({
        labels: { status },
        value,
      }))
    },
  })
}
