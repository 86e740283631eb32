import { isUtf8 } from 'node:buffer'
import { maxHeaderSize } from 'node:http'
import cookie from '@fastify/cookie'
import { healthz } from '@astropelago/contract/health'
import { bodyMaxBytes } from '@astropelago/contract/limits'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type Config, dataLocation } from '../config.ts'
import { DomainError } from '../domain-error.ts'
import type { Metrics } from '../metrics.ts'
import type { AdminSocket } from './admin-socket.ts'
import { AnswerCounts } from './answer-counts.ts'
import { watchConnections } from './connections.ts'
import { refuseCrossSite } from './cross-site.ts'
import { EarlyAnswers } from './early-answers.ts'
import { handleErrors, refuseUnknownCalls, refuseWhileClosing } from './error-handler.ts'
import { ownOrigin } from './own-origin.ts'
import { refuseUnreadable, refuseWithoutHost } from './parser-errors.ts'
import { ProtocolUpgrades } from './protocol-upgrades.ts'
import { limitOtherCalls, rateLimits } from './rate-limits.ts'
import { securityHeaders, sendWithEachAnswer } from './security-headers.ts'
import { serializeByContract, validateWithValibot } from './schema-compilers.ts'
import { siteHost } from './site-host.ts'
import { webSockets } from './web-sockets.ts'

const idleCheckMs = 50
/** A request that has not arrived completely by then gets no answer. */
const graceMs = 5000

/** Everything about HTTP that is the same for all routes. Hooks run in the order of their registration. */
export async function createHttpServer(options: {
  readonly config: Config
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly metrics: Metrics
  readonly cluster: Cluster
  readonly adminSocket: AdminSocket
}) {
  const { config, clock, log, metrics, cluster, adminSocket } = options
  const own = ownOrigin(config)
  const headers = await securityHeaders(config.publicUrl)

  const early = new EarlyAnswers(
    { requestTimeout: 30_000, keepAliveTimeout: 65_000, connectionsCheckingInterval: 5000 },
    siteHost(config, { clock, log }),
  )
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
    // A slow database or a busy machine is no reason to end a start.
    pluginTimeout: 0,
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

/**
 * A path that can't be decoded, or has NUL, is taken literally and leads nowhere: Fastify's refusal has
 * neither our headers nor our error's shape. A call of the API may end with a slash.
 */
export function requestUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? url
  const query = url.slice(path.length)
  if (namesNothing(path)) return path.replaceAll('%', '%25') + query
  return /^\/api\/(?!docs\/).+\/$/.test(path) ? path.slice(0, -1) + query : url
}

function namesNothing(path: string): boolean {
  if (!path.includes('%')) return false
  try {
    // The key-value routes refuse an impossible key by themselves.
    return decodeURIComponent(path).includes('\0') && !path.startsWith('/_spark/')
  } catch {
    return true
  }
}

/** Decoding would replace every invalid byte by one character, and different passwords would become equal. */
function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  // Forms of other sites may send plain text without asking first.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (isUtf8(body)) void parse(request, body.toString(), done)
      else done(new DomainError('invalid_input'))
    },
  )
}

/** Never the query, headers or body, which may contain secrets. Heartbeats come by the thousand a second. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isQuiet === true) return
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
  })
}

/** Without the secrets that stand in paths: those that scripts report to checks with. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(/^(\/+(?:ping|api\/+push)\/+)[^/]+/i, '$1***')
}

/** A server that was cut off reads first, or refuses. It still serves pages and files, and its health. */
function waitUntilCurrent(
  app: FastifyInstance,
  cluster: Pick<Cluster, 'isCurrent' | 'whenCurrent'>,
): void {
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (config.route === undefined || config.route === healthz || cluster.isCurrent()) return
    // For everybody but operators the path does not exist, which serve-route says before it waits.
    if (config.route.access === 'operator') return
    await cluster.whenCurrent()
  })
}

function drainConnections(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('onRequest', async (request, reply) =>
    isClosing ? refuseWhileClosing(request, reply) : undefined,
  )
  app.addHook('preClose', async () => {
    isClosing = true
    // Otherwise there is no 'close' to wait for.
    if (!app.server.listening) return
    const idleCheck = setInterval(() => app.server.closeIdleConnections(), idleCheckMs)
    const grace = setTimeout(() => app.server.closeAllConnections(), graceMs)
    app.server.once('close', () => {
      clearInterval(idleCheck)
      clearTimeout(grace)
    })
    idleCheck.unref()
    grace.unref()
  })
}
