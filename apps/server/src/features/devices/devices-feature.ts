import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import { listPublicDevices, type TokenScope } from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Change } from '../../cluster/cluster.ts'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import { hourlyLimit, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import type { PublicMessages } from '../../public-messages.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { Topic } from '../../topic.ts'
import { authenticateDevice } from './authenticate-device.ts'
import { cachedTokens } from './cached-tokens.ts'
import { devicesCsvRoutes } from './csv/devices-csv-routes.ts'
import { deviceLimit } from './device-limit.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceReports } from './device-reports.ts'
import { devicesMetrics } from './devices-metrics.ts'
import { devicesRoutes } from './devices-routes.ts'
import type { DevicesStore } from './devices-store.ts'
import { forgetDevice, type ForgetDeviceDeps } from './end-device.ts'
import { operatorDevicesRoutes } from './operator/operator-devices-routes.ts'
import { sqlOperatorDevicesStore } from './operator/sql-operator-devices-store.ts'
import { answerUnchangedList } from './public/answer-unchanged-list.ts'
import { ownDevicesData } from './own-devices-data.ts'
import { PublicDevices } from './public/public-devices.ts'
import { PublicList } from './public/public-list.ts'
import { readListed } from './public/read-listed.ts'
import { createPublisher, type Publisher } from './public/publisher.ts'
import { reportableDevices } from './reportable-devices.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'
import { TokenUses } from './token-uses.ts'

const tokenUsesFlushMs = 10 * 60_000
const tokenUsesRestMs = 10
/** When to read again what could not be read. */
const retryMs = 1000
const perTurn = 100
const renewalsPerHour = 10
/** Includes dry runs, because a file with the most lines allowed takes 20 to 100 ms to process. */
const importsPerHour = 120
/** Ids of devices that are no longer public, by key, as changes have them. */
const RemovedIds = v.record(v.string(), v.string())

interface DevicesFeatureOptions {
  readonly presence: DevicePresence
  readonly reports: DeviceReports
  readonly messages: PublicMessages
  readonly config: Pick<Config, 'maxDevices' | 'maxDevicesPerUser'>
}

interface DevicesRoutesParts {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  /** Returns undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
}

interface EarlyListParts {
  readonly answers: AnswerCounts
  readonly takeEarly: RateLimits['takeEarly']
  readonly headers: Readonly<Record<string, string>>
}

/** Devices, their tokens, and the public view of devices. */
export async function devicesFeature(
  { storage, cluster, changes, clock, log, schedule, audit, metrics }: FeatureBase,
  { presence, reports, messages, config }: DevicesFeatureOptions,
) {
  const { maxDevices, maxDevicesPerUser } = config
  const store = sqlDevicesStore(storage, { maxDevices })
  const tokens = await cachedTokens(store)
  const tokenUses = new TokenUses({
    clock,
    write: store.noteTokenUses,
    rest: () => wait(tokenUsesRestMs),
  })
  const devices = await PublicDevices.load(store.loadPublic(), presence)
  const list = new PublicList({ devices, presence, changes: messages, clock })
  const withdrawals = new Topic()
  const publisher = createPublisher({
    devices,
    messages: messages.of('device', (key) => devices.json(key)),
    list: {
      withdraw: (id) => {
        list.withdraw(id)
        withdrawals.publish()
      },
    },
  })

  schedule.every(tokenUsesFlushMs, 'could not write the last uses of tokens', (signal) =>
    tokenUses.flush(signal),
  )
  schedule.atEnd(() => tokenUses.stop())

  devicesMetrics(metrics, { store, presence, clock })
  const limitOf = deviceLimit(maxDevicesPerUser)
  const limitRenewals = hourlyLimit(renewalsPerHour, cluster.size)
  const limitImports = hourlyLimit(importsPerHour, cluster.size)
  const parts = {
    tokens,
    tokenUses,
    publisher,
    list,
    store,
    clock,
    presence,
    reports,
    limitOf,
    audit,
    limitRenewals,
    limitImports,
  }
  const operatorDevices = sqlOperatorDevicesStore(storage.longReads)
  const onFailure = (error: unknown) => {
    if (!(error instanceof StorageUnavailable)) log.error({ err: error }, 'devices were not read')
  }
  const queue = { retryAfterMs: () => retryMs, onFailure }
  const unreadTokens = new KeyedQueue<number>({
    ...queue,
    run: (deviceKeys) => tokens.relearn([...deviceKeys]),
  })
  const unreadDevices = new KeyedQueue<number>({
    ...queue,
    run: (deviceKeys) => readDevices(parts, [...deviceKeys]),
  })
  changes.subscribe('tokens', ({ keys }) => unreadTokens.add(...keys))
  changes.subscribe('devices', ({ keys }) => unreadDevices.add(...keys))
  schedule.atEnd(() => unreadTokens.stop())
  schedule.atEnd(() => unreadDevices.stop())
  // What is still on its way into memory is not published yet.
  cluster.holdCursorsWhile(() => !unreadDevices.isIdle)
  cluster.onLead((rows) => publishAgain(publisher, rows))
  return {
    list,
    findDevice: (token: string) => tokens.findDevice(token, 'report'),
    /** Whether a device's token is still valid. `onTokenEnd` reports when tokens end. */
    isTokenHeld: tokens.isHeld,
    onTokenEnd: tokens.onEnd,
    findOwnDeviceKey: async (userKey: number, id: string) =>
      (await store.findOwn(userKey, id))?.key,
    /** Public devices, and the caller's own; `userKey` is null for a visitor. */
    findForAnyone: store.find,
    noteTokenUse: (tokenKey: number) => tokenUses.note(tokenKey),
    noteFlips: publisher.noteFlips,
    listen: publisher.listen,
    /** The contents of the public list, for other formats. */
    listed: {
      read: () => readListed({ devices, presence }),
      changes: messages,
      /** Calls back when the public may know less about a device than before. */
      onWithdraw: withdrawals.subscribe,
    },
    listOwn: store.listOwn,
    listShown: store.listShown,
    readOwners: store.readOwners,
    ownData: ownDevicesData(parts),
    figures: store.figures,
    reportable: reportableDevices(store),
    /** Finds devices by their tokens of a scope. */
    authenticate: (scope: TokenScope, limitBadTokens: RateLimits['badDeviceToken']) =>
      authenticateDevice({
        findDevice: (token) => tokens.findDevice(token, scope),
        // A single server has all tokens in memory.
        findStored: async (token) =>
          cluster.writer === undefined ? undefined : await tokens.findStored(token, scope),
        // Heartbeats with a relay token get the same answer as any bad token, because the token may be
        // stolen.
        isOfOtherScope: (token) =>
          scope === 'relay' && tokens.findDevice(token, 'report') !== undefined,
        limitBadTokens,
        whenReadAgain: cluster.whenReadAgain,
      }),
    routes: async (app: FastifyInstance, routesParts: DevicesRoutesParts) => {
      await devicesRoutes(app, { ...parts, ...routesParts })
      await operatorDevicesRoutes(app, { ...parts, ...routesParts, operatorDevices })
      // In its own scope: no other route accepts CSV.
      await app.register(devicesCsvRoutes, { ...parts, ...routesParts })
    },
    answerEarly: ({ answers, ...early }: EarlyListParts): AnswerEarly =>
      answerUnchangedList({ ...early, list, answered: answers.of(listPublicDevices, 304) }),
  }
}

interface ReadDevicesParts extends ForgetDeviceDeps {
  readonly store: Pick<DevicesStore, 'read'>
  readonly publisher: Publisher
}

/** Brings memory up to date with devices that were changed or deleted, whoever did it. */
async function readDevices(parts: ReadDevicesParts, keys: readonly number[]): Promise<void> {
  const { store, publisher } = parts
  const read = await store.read(keys)
  const found = new Map(read.map((device) => [device.key, device]))
  for (const [at, key] of keys.entries()) {
    const device = found.get(key)
    if (device === undefined) forgetDevice(parts, key)
    else publisher.noteDevice(device)
    if (at % perTurn === perTurn - 1) await endOfTurn()
  }
}

/** Publishes what the previous leader may not have published. */
function publishAgain(publisher: Publisher, rows: readonly Change[]): void {
  publisher.beginToTell()
  for (const { topic, keys, details } of rows) {
    if (topic !== 'devices' && topic !== 'heartbeats' && topic !== 'offline') continue
    const removed = v.parse(RemovedIds, details ?? {})
    for (const key of keys) publisher.tellAgain(key, removed[key])
  }
}
