import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import { bodyMaxBytes } from '@astropelago/contract/limits'
import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import type { Cluster } from '../cluster/cluster.ts'
import { type Config, dataLocation } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { AdminSocket } from './admin-socket.ts'
import { AnswerCounts } from './answer-counts.ts'
import { watchConnections } from './connections.ts'
import { refuseCrossSite } from './cross-site.ts'
import { waitUntilCurrent } from './current.ts'
import { drainConnections } from './drain-connections.ts'
import { EarlyAnswers } from './early-answers.ts'
import { handleErrors, refuseUnknownCalls } from './error-handler.ts'
import { readJsonBodies } from './json-bodies.ts'
import { ownOrigin } from './own-origin.ts'
import { refuseUnreadable, refuseWithoutHost } from './parser-errors.ts'
import { ProtocolUpgrades } from './protocol-upgrades.ts'
import { limitOtherCalls, rateLimits } from './rate-limits.ts'
import { logRequests } from './request-log.ts'
import { requestUrl } from './request-url.ts'
import { securityHeaders, sendWithEachAnswer } from './security-headers.ts'
import { serializeByContract } from './serialization.ts'
import { validateWithValibot } from './validation.ts'
import { webSockets } from './web-sockets.ts'

interface HttpServerOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly cluster: Cluster
  readonly adminSocket: AdminSocket
}

/** Everything about HTTP that is the same for all routes. The order of the hooks is that of their registration. */
export async function createHttpServer(options: HttpServerOptions) {
  const { config, log, metrics, cluster, adminSocket } = options
  const own = ownOrigin(config)
  const headers = await securityHeaders(config.publicUrl)

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
  handleErrors(app, dataLocation(config))
  logRequests(app)
  const answers = AnswerCounts.count(app, metrics)
  drainConnections(app)
  sendWithEachAnswer(app, headers)
  refuseWithoutHost(app)
  await app.register(cookie)
  const upgrades = new ProtocolUpgrades()
  await webSockets(app, upgrades.webSockets)
  refuseCrossSite(app, own)
  waitUntilCurrent(app, cluster)
  const limits = rateLimits(config, {
    servers: cluster.size,
    isFromAdminSocket: adminSocket.isFrom,
  })
  limitOtherCalls(app, limits)
  refuseUnknownCalls(app)
  watchConnections(app.server, limits, early.isWatchedElsewhere)
  app.addHook('preClose', async () => early.stop())
  app.addHook('preClose', () => adminSocket.close())
  return { app, own, headers, early, answers, upgrades, limits }
}
