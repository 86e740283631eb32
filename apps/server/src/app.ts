import { maxHeaderSize } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import cookie from '@fastify/cookie'
import { bodyMaxBytes } from '@astropelago/contract/limits'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { accountsRoutes } from './features/accounts/accounts-routes.ts'
import { authenticateUser, findCaller } from './features/accounts/authenticate-user.ts'
import { loadCommonPasswords } from './features/accounts/common-passwords.ts'
import { deleteExpired } from './features/accounts/delete-expired.ts'
import { createPasswordHasher } from './features/accounts/password-hasher.ts'
import { rememberSessions } from './features/accounts/remember-sessions.ts'
import { createSessionCookie } from './features/accounts/session-cookie.ts'
import { createSignInThrottle } from './features/accounts/sign-in-throttle.ts'
import { sqlAccountsStore } from './features/accounts/sql-accounts-store.ts'
import { authenticateDevice } from './features/devices/authenticate-device.ts'
import { devicesRoutes } from './features/devices/devices-routes.ts'
import { answerUnchangedList } from './features/devices/public/answer-unchanged-list.ts'
import { PublicDevices } from './features/devices/public/public-devices.ts'
import { PublicList } from './features/devices/public/public-list.ts'
import { rememberTokens } from './features/devices/remember-tokens.ts'
import { sqlDevicesStore } from './features/devices/sql-devices-store.ts'
import { TokenUses } from './features/devices/token-uses.ts'
import { answerHeartbeats } from './features/presence/answer-heartbeats.ts'
import { feedRoutes } from './features/presence/feed/feed-routes.ts'
import { batchMs, Feed } from './features/presence/feed/feed.ts'
import { presenceRoutes } from './features/presence/presence-routes.ts'
import { Presence, tickMs } from './features/presence/presence.ts'
import { sqlitePresenceStore } from './features/presence/sqlite-presence-store.ts'
import { rememberValues } from './features/spark/remember-values.ts'
import { sparkRoutes } from './features/spark/spark-routes.ts'
import { sqlLlmUsageStore } from './features/spark/sql-llm-usage-store.ts'
import { sqliteKeyValuesStore } from './features/spark/sqlite-key-values-store.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { decodableUrl } from './http/decodable-url.ts'
import { drainConnections } from './http/drain-connections.ts'
import { EarlyAnswers } from './http/early-answers.ts'
import { EarlyCalls } from './http/early-calls.ts'
import { handleErrors, refuseUnknownPath } from './http/error-handler.ts'
import { healthRoutes } from './http/health-routes.ts'
import { createMetrics, metricsRoutes } from './http/metrics.ts'
import { openApi } from './http/openapi.ts'
import { rateLimits } from './http/rate-limits.ts'
import { logRequests } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { createServe } from './http/serve-route.ts'
import { validateWithValibot } from './http/validation.ts'
import { webFiles } from './http/web-files.ts'
import { webSockets } from './http/web-sockets.ts'
import { repeat } from './schedule.ts'
import type { Storage } from './storage/storage.ts'

const tokenUsesFlushMs = 10 * 60_000
const tokenUsesRestMs = 10
const foldHeartbeatsMs = 60_000
/** Proxies cut connections on which nothing came for a while, nginx after 60 s. */
const feedBeatMs = 15_000
const deleteExpiredMs = 10 * 60_000

export interface AppDependencies {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** The folder of the web app's build; without one only the API is served. */
  readonly webDir: string | undefined
}

/** Builds the server, the same for production and tests: every plugin and feature, in order. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, storage, clock, log, webDir } = dependencies
  const { publicUrl } = config

  // Slow requests and idle connections are cut.
  const early = new EarlyAnswers({
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5000,
  })
  const app = fastify({
    serverFactory: early.serverFactory,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyMaxBytes,
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    // As long as Node takes a whole address to be: a parameter that is too long names nothing.
    routerOptions: { maxParamLength: maxHeaderSize },
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    forceCloseConnections: 'idle',
  })

  // A form of another site may send text without asking first: bodies are JSON.
  app.removeContentTypeParser('text/plain')
  validateWithValibot(app)
  handleErrors(app)
  logRequests(app)
  drainConnections(app)
  const headers = await securityHeaders(app, publicUrl)
  await app.register(cookie)
  await webSockets(app)
  refuseCrossSite(app, publicUrl)
  const limits = await rateLimits(app, config.limitExempt)

  const accountsStore = rememberSessions(sqlAccountsStore(storage.db), clock)
  const sessionCookie = createSessionCookie(publicUrl)
  const tokens = await rememberTokens(sqlDevicesStore(storage.db))
  const devicesStore = tokens.store
  const tokenUses = new TokenUses({
    clock,
    write: devicesStore.noteTokenUses,
    rest: () => wait(tokenUsesRestMs),
  })
  const presenceStore = sqlitePresenceStore(storage.db)
  const presence = await Presence.load({
    store: presenceStore,
    clock,
    windowMs: config.onlineWindowMs,
    onChange: (deviceKeys) => publicDevices.noteStatusChanges(deviceKeys),
  })
  const feed = new Feed({
    publicDevice: (deviceKey) => publicDevices.json(deviceKey),
    afterBatchTime: (seal) => setTimeout(seal, batchMs).unref(),
  })
  const publicDevices = await PublicDevices.load(devicesStore.loadPublic(), {
    presence,
    onChange: (deviceKey, change) => {
      feed.note(deviceKey, change)
      if (change.kind === 'removed') publicList.noteRemoved(change.id)
    },
  })
  const publicList = new PublicList({ devices: publicDevices, presence, changes: feed, clock })
  const findUser = findCaller({ store: accountsStore, clock, sessionCookie })
  const metrics = createMetrics()
  const serve = createServe({
    limitCalls: limits.anyCall,
    user: authenticateUser(findUser),
    device: authenticateDevice({
      findDevice: tokens.findDevice,
      limitBadTokens: limits.badDeviceToken,
    }),
  })

  await openApi(app, { publicUrl, sessionCookie: sessionCookie.name })
  await app.register(healthRoutes, { serve, ping: storage.ping })
  await app.register(accountsRoutes, {
    serve,
    store: accountsStore,
    clock,
    passwordHasher: createPasswordHasher(),
    commonPasswords: await loadCommonPasswords(),
    throttle: createSignInThrottle({ clock, wait }),
    sessionCookie,
    limits,
    publicUrl,
    isDemoOn: config.demo,
  })
  const heartbeat = (deviceKey: number) => presence.heartbeat(deviceKey)
  const noteTokenUse = (tokenKey: number) => tokenUses.note(tokenKey)
  await app.register(presenceRoutes, {
    serve,
    heartbeat,
    findOwnDeviceKey: async (userKey, id) => (await devicesStore.findOwn(userKey, id))?.key,
    noteTokenUse,
  })
  const { findDevice } = tokens
  const earlyCalls = new EarlyCalls({ clock, isExempt: limits.isExemptAddress })
  early.start(
    answerHeartbeats({ findDevice, heartbeat, noteTokenUse, headers }),
    answerUnchangedList({
      list: publicList,
      // Behind a proxy the connection does not tell the address.
      takeCall: (socket) => config.trustProxy.length === 0 && earlyCalls.take(socket),
      headers,
    }),
  )
  app.addHook('preClose', async () => early.stop())
  await app.register(devicesRoutes, {
    serve,
    store: devicesStore,
    clock,
    presence,
    publicDevices,
    publicList,
    tokenUses,
  })
  await app.register(feedRoutes, {
    serve,
    feed,
    list: publicList,
    publicUrl,
    isExempt: limits.isExempt,
  })
  await app.register(sparkRoutes, {
    serve,
    keyValues: rememberValues(sqliteKeyValuesStore(storage.db)),
    llmUsage: sqlLlmUsageStore(storage.db),
    llm: config.llm,
    clock,
    findUser,
    notePageLoad: metrics.notePageLoad,
  })
  await app.register(metricsRoutes, { serve, metrics, token: config.metricsToken })
  if (webDir === undefined) app.setNotFoundHandler(refuseUnknownPath)
  else await app.register(webFiles, { webDir, publicUrl })

  const deleteExpiredAccounts = async () => {
    await deleteExpired({
      store: accountsStore,
      clock,
      beforeUserDeleted: async (userKey) => {
        for (const { key } of await devicesStore.listOwn(userKey)) {
          tokens.forgetDevice(key)
          presence.forget(key)
          publicDevices.noteDeleted(key)
        }
      },
    })
  }
  const closing = new AbortController()
  const { signal } = closing
  const scheduled = [
    repeat(deleteExpiredMs, deleteExpiredAccounts, reportFailure('expired accounts were kept')),
    repeat(tickMs, () => presence.tick(), reportFailure('the presence tick failed')),
    repeat(
      foldHeartbeatsMs,
      () => presenceStore.fold(signal),
      reportFailure('heartbeats were not folded'),
    ),
    repeat(feedBeatMs, async () => feed.beat(), reportFailure('the live feed did not beat')),
    repeat(
      tokenUsesFlushMs,
      () => tokenUses.flush(signal),
      reportFailure('token uses were not written'),
    ),
  ]
  app.addHook('onClose', async () => {
    closing.abort()
    await Promise.all(scheduled.map((task) => task.stop()))
    await presence.stop()
    await tokenUses.stop()
  })
  return app

  function reportFailure(message: string) {
    return (error: unknown) => log.error({ err: error }, message)
  }
}
