import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import { bodyMaxBytes } from '@astropelago/contract/limits'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import { type Config, keptIn } from './config.ts'
import { joinCluster } from './cluster/cluster-feature.ts'
import { alertsFeature } from './features/alerts/alerts-feature.ts'
import { channelsFeature } from './features/alerts/channels/channels-feature.ts'
import { activityFeature } from './features/activity/activity-feature.ts'
import { apiKeysFeature } from './features/api-keys/api-keys-feature.ts'
import { auditFeature } from './features/audit/audit-feature.ts'
import { accountsFeature } from './features/accounts/accounts-feature.ts'
import { announcementsFeature } from './features/announcements/announcements-feature.ts'
import { devicesFeature } from './features/devices/devices-feature.ts'
import { embedsFeature } from './features/embeds/embeds-feature.ts'
import { feedFeature } from './features/feed/feed-feature.ts'
import { guidesFeature } from './features/guides/guides-feature.ts'
import { historyFeature } from './features/history/history-feature.ts'
import { islandsFeature } from './features/islands/islands-feature.ts'
import { relayFeature } from './features/relay/relay-feature.ts'
import { presenceFeature } from './features/presence/presence-feature.ts'
import { agentFileRoutes } from './features/relay/agent-file/agent-file-routes.ts'
import { reportsFeature } from './features/reports/reports-feature.ts'
import { searchFeature } from './features/search/search-feature.ts'
import { sparkFeature } from './features/spark/spark-feature.ts'
import { streamsFeature } from './features/streams/streams-feature.ts'
import { statusPagesFeature } from './features/status-pages/status-pages-feature.ts'
import { backupsFeature } from './features/backups/backups-feature.ts'
import { readServerFacts } from './features/stats/server-facts.ts'
import { statsRoutes } from './features/stats/stats-routes.ts'
import { AdminSocket } from './http/admin-socket.ts'
import { AnswerCounts } from './http/answer-counts.ts'
import { authenticateOperator } from './http/authenticate-operator.ts'
import { readBuildSettings } from './http/build-settings.ts'
import { waitUntilCurrent } from './http/current.ts'
import { watchConnections } from './http/connections.ts'
import { refuseCrossSite } from './http/cross-site.ts'
import { drainConnections } from './http/drain-connections.ts'
import { EarlyAnswers } from './http/early-answers.ts'
import { handleErrors, refuseUnknownCalls, refuseUnknownPath } from './http/error-handler.ts'
import { healthRoutes } from './http/health-routes.ts'
import { metricsRoutes } from './http/metrics-routes.ts'
import { openApi } from './http/openapi.ts'
import { ownOrigin } from './http/own-origin.ts'
import { readPageFonts } from './http/drawn-pages.ts'
import { loadPages } from './http/page-html.ts'
import { refuseUnreadable, refuseWithoutHost } from './http/parser-errors.ts'
import { ProtocolUpgrades } from './http/protocol-upgrades.ts'
import { limitOtherCalls, rateLimits } from './http/rate-limits.ts'
import { readJsonBodies } from './http/json-bodies.ts'
import { logRequests } from './http/request-log.ts'
import { requestUrl } from './http/request-url.ts'
import { securityHeaders, sendWithEachAnswer } from './http/security-headers.ts'
import { serializeByContract } from './http/serialization.ts'
import { createServe } from './http/serve-route.ts'
import { validateWithValibot } from './http/validation.ts'
import { webFiles } from './http/web-files.ts'
import { webSockets } from './http/web-sockets.ts'
import { createMailLimits } from './mail/mail-limits.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { createMailer, noMailer } from './mail/mailer.ts'
import { createMetrics } from './metrics.ts'
import { createOutgoing } from './outgoing/outgoing.ts'
import { relayAddress } from './relay-address.ts'
import { Schedule } from './schedule.ts'
import { storageMetrics } from './storage/storage-metrics.ts'
import type { Storage } from './storage/storage.ts'

export interface AppDependencies {
  readonly config: Config
  readonly storage: Storage
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  /** The folder of the web app's build. Without one, only the API is served. */
  readonly webDir: string | undefined
  /** The command line's way in, to be opened when the app is built. Without one there is none. */
  readonly adminSocket?: AdminSocket
  /** Whether to make the Community Lounge if there has never been one. */
  readonly makesLounge?: boolean
}

/** Builds the server, the same one for production and tests: every plugin and feature, in order. */
export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, storage, clock, log, webDir, adminSocket = new AdminSocket() } = dependencies
  const { makesLounge = false } = dependencies
  const { publicUrl, siteName, siteLogo } = config
  const own = ownOrigin(config)

  const headers = await securityHeaders(publicUrl)
  const fonts = await readPageFonts(webDir)

  // Cuts slow requests and idle connections.
  const early = new EarlyAnswers({
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5000,
  })
  const app = fastify({
    serverFactory: early.serverFactory,
    clientErrorHandler: refuseUnreadable(headers, early.owesAnswer),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyMaxBytes,
    rewriteUrl: ({ url = '/' }) => requestUrl(url),
    // Node's own limit on an address: a longer parameter matches nothing.
    routerOptions: { maxParamLength: maxHeaderSize },
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    forceCloseConnections: 'idle',
    // Our own 503 says when to come again.
    return503OnClosing: false,
  })

  readJsonBodies(app)
  validateWithValibot(app)
  serializeByContract(app)
  handleErrors(app, keptIn(config))
  logRequests(app)
  const metrics = createMetrics()
  const answers = AnswerCounts.count(app, metrics)
  drainConnections(app)
  sendWithEachAnswer(app, headers)
  refuseWithoutHost(app)
  await app.register(cookie)
  const upgrades = new ProtocolUpgrades()
  await webSockets(app, upgrades.webSockets)
  refuseCrossSite(app, own)
  const cluster = await joinCluster({ storage, log, metrics })
  waitUntilCurrent(app, cluster)
  const limits = rateLimits(config, {
    servers: cluster.size,
    isFromAdminSocket: adminSocket.isFrom,
  })
  limitOtherCalls(app, limits)
  refuseUnknownCalls(app)
  watchConnections(app.server, limits, early.isWatchedElsewhere)

  storageMetrics(metrics, storage)

  // Each feature builds on those above it.
  const schedule = new Schedule(log)
  const { audit, ...auditLog } = auditFeature({ storage, cluster, clock, log, schedule, metrics })
  const base = { storage, cluster, clock, log, schedule, metrics, audit }
  const { messages, ...live } = await feedFeature(base)
  const { presence, ...heartbeats } = await presenceFeature(base, {
    windowMs: config.onlineWindowMs,
    answers,
  })
  const devices = await devicesFeature(base, {
    presence,
    reports: heartbeats.reports,
    messages,
    maxDevices: config.maxDevices,
    maxDevicesPerUser: config.maxDevicesPerUser,
  })
  const { findDevice, forgetDevice, noteTokenUse } = devices
  const history = historyFeature(base, { presence, flips: heartbeats.flips })
  const islands = await islandsFeature(base, {
    presence,
    messages,
    flips: heartbeats.flips,
    readUnobserved: history.readUnobserved,
    publicUrl,
    tavernUrl: config.tavernUrl,
    operators: config.operators,
    findOwnDeviceKey: devices.findOwnDeviceKey,
    relayAddress: relayAddress(config),
    maxIslands: config.maxIslands,
    makesLounge,
  })
  const statusPages = statusPagesFeature(base, {
    fonts,
    siteName,
    listDevices: devices.listShown,
    status: (deviceKey) => presence.status(deviceKey),
    statusSince: (deviceKey) => presence.statusSince(deviceKey),
    readDevicePast: history.readDevice,
    listIslands: islands.listShown,
    listOwnDevices: devices.listOwn,
    listOwnIslands: islands.listHostedIds,
    listenDevices: devices.listen,
    listenFlips: (listener) => presence.listen(listener),
    listenIslands: islands.listenChanges,
  })
  const mailer = config.mail === undefined ? noMailer : createMailer(config.mail, { clock, log })
  const mailLimits = createMailLimits(cluster.size)
  const apiKeys = apiKeysFeature(base)
  const accounts = await accountsFeature(base, {
    publicUrl,
    siteName,
    ownOrigin: own,
    isDemoOn: config.demo,
    registration: config.registration,
    mailer,
    operators: config.operators,
    maxUsers: config.maxUsers,
    limits,
    mailLimits,
    forgetDevice,
    forgetApiKeys: apiKeys.forgetAll,
    noteIslandsEnd: islands.noteEnd,
    noteHostChange: islands.noteHostChange,
    noteOwnerChange: async (userKey, deviceKeys) => {
      await devices.noteOwnerChange(deviceKeys)
      await islands.noteHostChange(userKey)
      statusPages.noteOwnerChange()
    },
    parseCookie: (header) => app.parseCookie(header),
  })
  const channels = await channelsFeature(base, {
    publicUrl,
    siteName,
    mailer,
    mailFrom: config.mail?.from.address,
    limits,
    mailLimits,
    outgoing: createOutgoing({
      clock,
      ownHosts: ownHosts(config),
      allowsPrivate: config.allowsPrivateTargets,
    }),
  })
  const spark = sparkFeature(base, {
    llm: config.llm,
    findUser: accounts.findUser,
    watchSession: accounts.watchSession,
  })

  const streams = streamsFeature(base, {
    islands,
    devices: {
      ...devices,
      listenFlips: (listener) => presence.listen(listener),
      listenReports: heartbeats.reports.listen,
    },
  })
  const reports = reportsFeature(base, {
    noteReports: streams.noteReports,
    reportables: {
      device: devices.reportable,
      island: islands.reportable,
      'log-entry': islands.reportableLogEntry,
    },
  })
  const alerts = alertsFeature(base, {
    publicUrl,
    windowMs: config.onlineWindowMs,
    flips: heartbeats.flips,
    warnings: heartbeats.reports,
    islands: islands.alerts,
    reports: { ...reports.toTell, operators: accounts.findOperatorKeys },
    channels: channels.channels,
    readUnobserved: history.readUnobserved,
    recordedUntilMs: () => presence.recordedUntilMs(),
  })
  const announcements = announcementsFeature(base)
  const guides = await guidesFeature(base, {
    guidesDir: config.guidesDir,
    builtIn: webDir === undefined ? [] : (await readBuildSettings(webDir)).guides,
  })
  const embeds = embedsFeature(base, {
    siteName,
    findDevice: (id) => devices.findForAnyone(null, id),
    listed: devices.listed,
    findIsland: islands.findForEverybody,
    status: (deviceKey) => presence.status(deviceKey),
    lastSeenMs: (deviceKey) => presence.lastSeenMs(deviceKey),
    readUptimes: history.readUptimes,
    readFlips: history.readNewestFlips,
    publicUrl,
    listOwn: devices.listOwn,
    readReports: heartbeats.reports.read,
    onDeviceChange: devices.listen,
    onFlips: (listener) => presence.listen(listener),
    onIslandChange: (listener) => {
      // This server's own changes are published before memory has them.
      islands.changes.listen(listener)
      islands.listen(listener)
    },
  })
  const activity = activityFeature({
    readFlips: heartbeats.readOwnFlips,
    readLog: islands.readOwnLog,
  })
  const backups = backupsFeature(base, config)
  const search = searchFeature(base, {
    statusOf: (deviceKey) => presence.status(deviceKey),
    readCards: islands.readCards,
    isOpen: islands.isOpen,
  })

  const relay = await relayFeature(base, {
    config,
    fonts,
    relayAddress: relayAddress(config),
    islands: islands.relayed,
    portIslands: {
      findKnown: islands.findKnown,
      hostOf: islands.hostOf,
      readRights: islands.readRights,
      onMembersChange: (listener) =>
        islands.listen(({ kind, islandKey }) => {
          if (kind === 'members') listener(islandKey)
        }),
      noteIslandChange: (islandKey) => islands.changes.noteChange({ islandKey, kind: 'changed' }),
    },
    isTokenHeld: devices.isTokenHeld,
    onTokenEnd: devices.onTokenEnd,
    heartbeat: (deviceKey) => presence.heartbeat(deviceKey),
    noteTokenUse,
    claimCertificate: islands.claimCertificate,
    nameIsland: islands.nameIsland,
    readRights: islands.readRights,
    findSessionHolder: accounts.findSessionHolder,
    watchSessionOf: accounts.watchSessionOf,
  })

  // What follows a flip, apart from what reads the outbox.
  presence.listen(devices.noteFlips)
  presence.listen(islands.noteFlips)
  devices.listen(islands.noteDevice)
  islands.openWhileCarried(relay.carriage)

  const serve = createServe({
    limitCalls: limits.anyCall,
    user: accounts.authenticate,
    device: devices.authenticate('report', limits.badDeviceToken),
    agent: devices.authenticate('relay', limits.badDeviceToken),
    operator: authenticateOperator({ adminSocket, findUser: accounts.findUser }),
    apiKey: apiKeys.authenticate,
    whenCurrent: () => cluster.whenCurrent(),
    audit,
  })
  await openApi(app, { publicUrl, sessionCookie: accounts.sessionCookieName })
  await app.register(healthRoutes, { serve, ping: storage.ping })
  await app.register(accounts.routes, {
    serve,
    ownData: [
      devices.ownData,
      heartbeats.ownData,
      history.ownData,
      apiKeys.ownData,
      channels.ownData,
      ...alerts.ownData,
      statusPages.ownData,
      ...spark.ownData,
      reports.ownData,
      ...islands.ownData,
      relay.ownData,
    ],
  })
  await app.register(apiKeys.routes, { serve })
  await app.register(channels.routes, { serve })
  await app.register(alerts.routes, {
    serve,
    findUserKey: accounts.findUserKey,
    findOwnDeviceKey: devices.findOwnDeviceKey,
  })
  await app.register(heartbeats.routes, {
    serve,
    noteTokenUse,
    findOwnDeviceKey: devices.findOwnDeviceKey,
  })
  await app.register(devices.routes, {
    serve,
    findUser: accounts.findUser,
    findUserKey: accounts.findUserKey,
  })
  await app.register(history.routes, {
    serve,
    findUser: accounts.findUser,
    findDevice: devices.findForAnyone,
  })
  await app.register(embeds.routes, { serve })
  await app.register(statusPages.routes, { serve })
  await app.register(islands.routes, {
    serve,
    findUser: accounts.findUser,
    findUserKey: accounts.findUserKey,
    ownOrigin: own,
    limits,
    listFollowed: alerts.listFollowed,
  })
  await app.register(relay.routes, {
    serve,
    upgrades,
    findUser: accounts.findUser,
    findDoor: islands.findDoor,
    sessionHashOf: accounts.sessionHashOf,
  })
  await app.register(activity.routes, { serve })
  await app.register(live.routes, {
    serve,
    list: devices.list,
    ownOrigin: own,
    isExempt: limits.isExempt,
  })
  await app.register(streams.routes, {
    serve,
    findUser: accounts.findUser,
    watchSession: accounts.watchSession,
    isExempt: limits.isExempt,
  })
  await app.register(spark.routes, { serve })
  await app.register(auditLog.routes, { serve })
  await app.register(statsRoutes, {
    serve,
    readServer: () =>
      readServerFacts({ storage, dataDir: config.dataDir, cluster, mailer, backups }),
    figures: [
      accounts.figures,
      devices.figures,
      islands.figures,
      reports.figures,
      announcements.figures,
    ],
  })
  await app.register(mailRoutes, { serve, mailer, mail: config.mail, publicUrl, siteName })
  await app.register(reports.routes, { serve })
  await app.register(announcements.routes, { serve })
  await app.register(guides.routes, { serve })
  await app.register(search.routes, {
    serve,
    findUser: accounts.findUser,
    isExempt: limits.isExempt,
  })
  await app.register(agentFileRoutes, { serve })
  await app.register(metricsRoutes, { serve, metrics, token: config.metricsToken })
  if (webDir === undefined) app.setNotFoundHandler(refuseUnknownPath)
  else {
    const sendPage = await loadPages(webDir, own, {
      stage: config.stage,
      hasRelay: config.relayDomain !== undefined,
      name: siteName,
      logo: siteLogo,
      links: config.siteLinks,
    })
    await app.register(islands.pages, {
      sendPage,
      siteName,
      ownOrigin: own,
      findUser: accounts.findUser,
      listGuides: guides.listNames,
    })
    await app.register(webFiles, {
      webDir,
      sendPage,
      siteName,
      siteLogo,
      findLead: islands.findLead,
    })
  }

  early.serveHosts(relay.otherHosts, (...upgrade) => upgrades.take(app, ...upgrade))
  const { takeEarly } = limits
  early.start(
    cluster.isCurrent,
    heartbeats.answerEarly({ headers, findDevice, noteTokenUse }),
    devices.answerEarly({ answers, headers, takeEarly }),
    embeds.answerEarly({ answers, headers, takeEarly }),
    spark.answerEarly({ answers, headers, takeEarly, knownUserKey: accounts.knownUserKey }),
  )
  await relay.join()
  await live.share()
  app.addHook('preClose', async () => early.stop())
  app.addHook('preClose', () => adminSocket.close())
  app.addHook('preClose', () => relay.stop())
  app.addHook('onClose', () => schedule.stop())
  app.addHook('onClose', () => mailer.stop())
  schedule.start()
  return app
}

/** The names of this server. No address that a user enters may lead back to it. */
function ownHosts({ publicUrl, relayDomain, instanceUrl }: Config): string[] {
  const urls = [publicUrl, instanceUrl].filter((url) => url !== undefined)
  return [
    ...urls.map((url) => new URL(url).hostname),
    ...(relayDomain === undefined ? [] : [relayDomain]),
  ]
}
