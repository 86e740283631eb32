import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { authenticateDevice } from './authenticate-device.ts'
import { cachedTokens } from './cached-tokens.ts'
import type { DevicePresence } from './device-presence.ts'
import { devicesRoutes } from './devices-routes.ts'
import { forgetDevice } from './end-device.ts'
import { answerUnchangedList } from './public/answer-unchanged-list.ts'
import { PublicDevices } from './public/public-devices.ts'
import { PublicList } from './public/public-list.ts'
import { batchMs, PublicMessages, type PublicFeed } from './public/public-messages.ts'
import { createPublisher } from './public/publisher.ts'
import { sqlDevicesStore } from './sql-devices-store.ts'
import { TokenUses } from './token-uses.ts'

const tokenUsesFlushMs = 10 * 60_000
const tokenUsesRestMs = 10

interface DevicesFeatureOptions {
  readonly presence: DevicePresence
  readonly feed: PublicFeed
  readonly maxDevices: number
}

interface DevicesRoutesParts {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
}

interface EarlyListParts {
  readonly takeEarly: RateLimits['takeEarly']
  readonly headers: Readonly<Record<string, string>>
}

/** Devices and their tokens, and what everybody may know of devices. */
export async function devicesFeature(
  { storage, clock, schedule }: FeatureBase,
  { presence, feed, maxDevices }: DevicesFeatureOptions,
) {
  const tokens = await cachedTokens(sqlDevicesStore(storage.db, { maxDevices }))
  const { store } = tokens
  const tokenUses = new TokenUses({
    clock,
    write: store.noteTokenUses,
    rest: () => wait(tokenUsesRestMs),
  })
  const devices = await PublicDevices.load(store.loadPublic(), presence)
  const messages = new PublicMessages({
    devices,
    feed,
    afterBatchTime: (seal) => setTimeout(seal, batchMs).unref(),
  })
  const list = new PublicList({ devices, presence, changes: messages, clock })
  const publisher = createPublisher({ devices, messages, list })

  schedule.every(tokenUsesFlushMs, 'token uses were not written', (signal) =>
    tokenUses.flush(signal),
  )
  schedule.atEnd(() => tokenUses.stop())

  const parts = { store, clock, presence, tokens, tokenUses, publisher, list }
  return {
    list,
    findDevice: tokens.findDevice,
    findOwnDeviceKey: async (userKey: number, id: string) =>
      (await store.findOwn(userKey, id))?.key,
    noteTokenUse: (tokenKey: number) => tokenUses.note(tokenKey),
    noteFlips: publisher.noteFlips,
    forgetDevice: (deviceKey: number) => forgetDevice(parts, deviceKey),
    authenticate: (limitBadTokens: RateLimits['badDeviceToken']) =>
      authenticateDevice({ findDevice: tokens.findDevice, limitBadTokens }),
    routes: (app: FastifyInstance, routesParts: DevicesRoutesParts) =>
      devicesRoutes(app, { ...parts, ...routesParts }),
    answerEarly: (early: EarlyListParts): AnswerEarly => answerUnchangedList({ ...early, list }),
  }
}
