import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { changesOf, joinCluster } from './cluster/cluster-feature.ts'
import { InstanceNotices } from './cluster/instance-notices.ts'
import { accountsFeature } from './features/accounts/accounts-feature.ts'
import { activityFeature } from './features/activity/activity-feature.ts'
import { alertsFeature } from './features/alerts/alerts-feature.ts'
import { channelsFeature } from './features/alerts/channels/channels-feature.ts'
import { announcementsFeature } from './features/announcements/announcements-feature.ts'
import { apiKeysFeature } from './features/api-keys/api-keys-feature.ts'
import { auditFeature } from './features/audit/audit-feature.ts'
import { backupsFeature } from './features/backups/backups-feature.ts'
import { checksFeature } from './features/checks/checks-feature.ts'
import { locationsFeature } from './features/checks/locations/locations-feature.ts'
import { checkImportFeature } from './features/checks/import/check-import-feature.ts'
import { devicesFeature } from './features/devices/devices-feature.ts'
import { embedsFeature } from './features/embeds/embeds-feature.ts'
import { feedFeature } from './features/feed/feed-feature.ts'
import { guidesFeature } from './features/guides/guides-feature.ts'
import { hostedPagesFeature } from './features/hosted-pages/hosted-pages-feature.ts'
import { islandRuntimeFeature } from './features/island-runtime/island-runtime-feature.ts'
import { historyFeature } from './features/history/history-feature.ts'
import { islandsFeature } from './features/islands/islands-feature.ts'
import { directoryFeature } from './features/neighbours/directory/directory-feature.ts'
import { neighboursFeature } from './features/neighbours/neighbours-feature.ts'
import { presenceFeature } from './features/presence/presence-feature.ts'
import { agentFileRoutes } from './features/relay/agent-file-routes.ts'
import { relayFeature } from './features/relay/relay-feature.ts'
import { reportsFeature } from './features/reports/reports-feature.ts'
import { roomsFeature } from './features/rooms/rooms-feature.ts'
import { searchFeature } from './features/search/search-feature.ts'
import { sparkFeature } from './features/spark/spark-feature.ts'
import { statsFeature } from './features/stats/stats-feature.ts'
import { statusPagesFeature } from './features/status-pages/status-pages-feature.ts'
import { streamsFeature } from './features/streams/streams-feature.ts'
import { AdminSocket } from './http/admin-socket.ts'
import { authenticateOperator } from './http/callers.ts'
import { readPageFonts } from './http/drawn-pages.ts'
import { refuseUnknownPath } from './http/error-handler.ts'
import { healthRoutes } from './http/health-routes.ts'
import { createHttpServer } from './http/http-server.ts'
import { openApi } from './http/openapi.ts'
import { loadPages } from './http/page-html.ts'
import { createServe } from './http/serve-route.ts'
import { webFiles } from './http/web-files.ts'
import { mailFeature } from './mail/mail-feature.ts'
import { createMetrics } from './metrics.ts'
import { Schedule } from './schedule.ts'
import { storageMetrics } from './storage/storage-load.ts'
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
  readonly makesLounge?: boolean
}

export async function buildApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, storage, clock, log, webDir, adminSocket = new AdminSocket() } = dependencies
  const { makesLounge = false } = dependencies
  const metrics = createMetrics()
  const cluster = await joinCluster({ storage, log, metrics })
  const http = await createHttpServer({ config, clock, log, metrics, cluster, adminSocket })
  const { app, own, headers, early, answers, upgrades, limits } = http
  const fonts = await readPageFonts(webDir)
  storageMetrics(metrics, storage.load)

  // Each feature builds on those above it.
  const schedule = new Schedule(log, () => cluster.leads())
  const changes = changesOf(storage, cluster)
  const unaudited = { storage, cluster, changes, clock, log, schedule, metrics }
  const { audit, ...auditLog } = auditFeature(unaudited)
  const base = { ...unaudited, audit }
  const { messages, ...live } = await feedFeature(base)
  const heartbeats = await presenceFeature(base, { config, answers })
  const { presence, flips, reports: deviceReports } = heartbeats
  const devices = await devicesFeature(base, { config, presence, reports: deviceReports, messages })
  const history = historyFeature(base, { presence, flips })
  const ofIslands = { config, presence, devices, history, flips, messages, makesLounge }
  const islands = await islandsFeature(base, ofIslands)
  const directory = await directoryFeature(base, {
    config,
    ...live,
    messages,
    devices,
    islands,
    isBlocked: (address) => neighbours.isBlocked(address),
  })
  const neighbours = await neighboursFeature(base, { messages, directory })
  const checks = checksFeature(base, { config, islands, history })
  const shown = { config, presence, devices, islands, checks: checks.shown, history }
  const statusPages = statusPagesFeature(base, { ...shown, fonts })
  const embeds = embedsFeature(base, { ...shown, reports: deviceReports })
  const mail = mailFeature(base, config)
  const apiKeys = apiKeysFeature(base)
  const accounts = await accountsFeature(base, {
    config,
    ownOrigin: own,
    limits,
    mail,
    parseCookie: (header) => app.parseCookie(header),
  })
  const channels = await channelsFeature(base, { config, mail, limits })
  const checkImport = checkImportFeature(base, {
    config,
    checks,
    channels: channels.imports,
    statusPages: statusPages.imports,
  })
  const spark = sparkFeature(base, { config, accounts })
  const streams = streamsFeature(base, { islands, devices, presence, reports: deviceReports })
  const hostedPages = hostedPagesFeature(base, { config, islands, accounts })
  const notices = new InstanceNotices()
  const rooms = roomsFeature(base, { config, islands, hostedPages, notices })
  const reports = reportsFeature(base, { devices, islands, checks, rooms, streams })
  const alerts = alertsFeature(base, {
    config,
    presence,
    history,
    flips,
    warnings: deviceReports,
    islands: islands.alerts,
    checks: checks.store,
    reports: { ...reports.forAlerts, operators: accounts.findOperatorKeys },
    channels: channels.channels,
  })
  const announcements = announcementsFeature(base)
  const guides = await guidesFeature(base, { config, webDir })
  const activity = activityFeature({ heartbeats, islands })
  const backups = backupsFeature(base, config)
  const search = searchFeature(base, { presence, islands, neighbours: neighbours.found })
  const islandRuntime = await islandRuntimeFeature(base, {
    config,
    webDir,
    islands,
    accounts,
    hostedPages,
    rooms: rooms.rooms,
    spark,
    notices,
  })
  const counted = [accounts, devices, islands, hostedPages, reports, announcements]
  const stats = statsFeature(base, { config, mail, backups, counted })
  const relay = await relayFeature(base, {
    config,
    fonts,
    presence,
    devices,
    islands,
    accounts,
    hostedPages,
    islandRuntime,
    notices,
    sendAlert: alerts.send,
  })

  const locations = locationsFeature(base, {
    checks: checks.store,
    lenders: relay.lenders,
    probe: checks.probe,
  })
  checks.lookFrom(locations.locations)

  // These follow a flip at once, apart from the readers of stored flips.
  presence.listen(devices.setStatus)
  presence.listen(islands.applyFlips)
  devices.listen(islands.followDevice)
  islands.openWhileCarried(relay.carriage)

  const context = {
    serve: createServe({
      limitCalls: limits.anyCall,
      user: accounts.authenticate,
      device: devices.authenticate('report', limits.badDeviceToken),
      agent: devices.authenticate('relay', limits.badDeviceToken),
      operator: authenticateOperator({ adminSocket, findUser: accounts.findUser }),
      apiKey: apiKeys.authenticate,
      whenCurrent: () => cluster.whenCurrent(),
      audit,
    }),
    upgrades,
    limits,
    ownOrigin: own,
    findUser: accounts.findUser,
    findUserKey: accounts.findUserKey,
    watchSession: accounts.watchSession,
    findDevice: devices.findForAnyone,
    findOwnDeviceKey: devices.findOwnDeviceKey,
    readPublicDevices: devices.readPublicDevices,
    recordTokenUse: devices.recordTokenUse,
    list: devices.list,
    listFollowed: alerts.listFollowed,
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
      checks.ownData,
      locations.ownData,
      ...relay.ownData,
      ...islandRuntime.ownData,
    ],
  }
  await openApi(app, { config, sessionCookie: accounts.sessionCookieName })
  const features = [accounts, apiKeys, channels, alerts, heartbeats, devices, history, embeds]
  const others = [
    checks,
    locations,
    checkImport,
    statusPages,
    islands,
    hostedPages,
    rooms,
    islandRuntime,
    relay,
    activity,
    neighbours,
    live,
    directory,
    streams,
    spark,
    auditLog,
    mail,
  ]
  const routes: readonly FastifyPluginAsync<typeof context>[] = [
    ...[...features, ...others, reports, announcements, guides, search, stats].map(
      (one) => one.routes,
    ),
    agentFileRoutes,
  ]
  for (const plugin of routes) await app.register(plugin, context)
  const { serve } = context
  const { metricsToken } = config
  await app.register(healthRoutes, { serve, ping: storage.ping, metrics, metricsToken })
  if (webDir === undefined) app.setNotFoundHandler(refuseUnknownPath)
  else {
    const sendPage = await loadPages(webDir, own, config)
    const { listNames: listGuides } = guides
    await app.register(islands.pages, { ...context, sendPage, config, listGuides })
    await app.register(webFiles, { webDir, sendPage, config, findLead: islands.findLead })
  }

  early.serveHosts(relay.otherHosts, (...upgrade) => upgrades.take(app, ...upgrade))
  const { takeEarly } = limits
  early.start(
    cluster.isCurrent,
    heartbeats.answerEarly(devices, headers),
    devices.answerEarly({ answers, headers, takeEarly }),
    embeds.answerEarly({ answers, headers, takeEarly }),
    spark.answerEarly({ answers, headers, takeEarly, cachedUserKey: accounts.cachedUserKey }),
  )
  if (makesLounge) await hostedPages.makeLounge()
  await relay.join()
  await live.share()
  app.addHook('preClose', () => relay.stop())
  app.addHook('preClose', async () => locations.stop())
  app.addHook('preClose', () => neighbours.stop())
  app.addHook('onClose', () => schedule.stop())
  app.addHook('onClose', () => mail.mailer.stop())
  schedule.start()
  return app
}
