import { bodyMaxBytes } from '@astropelago/contract/limits'
import type {
  Answer,
  BodyOutput,
  ParamsOutput,
  QueryOutput,
  Route,
} from '@astropelago/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { actorOf, audited, type AuditEvent, type AuditLog } from '../audit-log.ts'
import { DomainError } from '../domain-error.ts'
import { isByApiKey } from './bearer-token.ts'
import type { Authenticate, DeviceCaller, OperatorCaller, UserCaller } from './callers.ts'
import type { ServerWebSocket, WebSocketRoute } from './web-sockets.ts'

/** What a handler receives: the parsed request, and its caller if the route asks for one. */
export interface Call<R extends Route> {
  readonly params: ParamsOutput<R>
  readonly query: QueryOutput<R>
  readonly body: BodyOutput<R>
  /** On routes for anyone, the user of an API key. */
  readonly user: R['access'] extends 'user'
    ? UserCaller
    : R['access'] extends 'anyone'
      ? UserCaller | undefined
      : undefined
  readonly device: R['access'] extends 'device' | 'agent' ? DeviceCaller : undefined
  readonly operator: R['access'] extends 'operator' ? OperatorCaller : undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The caller of a request, on routes that ask for one. */
type Caller<R extends Route> = Pick<Call<R>, 'user' | 'device' | 'operator'>

export interface ServeOptions<R extends Route> {
  /** Also answers HEAD, with the headers of the GET that it runs. For handlers that change nothing. */
  readonly answersHead?: boolean
  readonly bodyLimit?: number
  /** Throws the DomainError that refuses a caller whatever the body says, before it is read. */
  readonly refuseCaller?: (caller: Caller<R>, reply: FastifyReply) => void
  /** Callers that no limit by address applies to. */
  readonly isUncounted?: (request: FastifyRequest) => boolean
  /** Keeps the route out of the request log, for calls that come by the thousand. */
  readonly isQuiet?: boolean
  /** Also takes WebSockets. The handler answers requests that are none. */
  readonly webSocket?: WebSocketRoute
  /** What the audit log records about a call. Every operator's route that changes something has it. */
  readonly audit?: (call: Call<R>) => Omit<AuditEvent, 'actor'>
}

/**
 * Registers a route of the contract: who may call, what fits, what is answered. The handler returns one of
 * the route's answers, or nothing after answering through `reply` itself.
 */
export type Serve = <R extends Route, const A extends Answer<R> | undefined>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R>) => Promise<A>,
  options?: ServeOptions<R>,
) => void

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's route, for the error handler and OpenAPI. */
    route?: Route
    isQuiet?: boolean
  }
}

interface ServeDependencies extends Authenticate {
  /** Counts a call against its address. Throws when there were too many. */
  readonly limitCalls: (request: FastifyRequest) => void
  readonly audit: Pick<AuditLog, 'begin'>
  /** Resolves when memory is current enough to answer from. */
  readonly whenCurrent: () => Promise<void>
}

export function createServe({
  limitCalls,
  audit,
  whenCurrent,
  ...authenticate
}: ServeDependencies): Serve {
  return (app, route, handler, options = {}) => {
    const { answersHead = false, bodyLimit, refuseCaller, isQuiet = false, webSocket } = options
    // Identify callers before the body is read, so that a stranger learns nothing from its checks.
    const callers = new WeakMap<FastifyRequest, UserCaller | DeviceCaller | OperatorCaller>()
    const { access } = route
    const isAudited = access === 'operator' && route.method !== 'GET'
    if (isAudited && options.audit === undefined) {
      throw new Error(`${route.method} ${route.path} has to say what the audit log says of it`)
    }
    const callerOf = (request: FastifyRequest) => {
      const caller = callers.get(request)
      const named = {
        user: access === 'user' || access === 'anyone' ? caller : undefined,
        device: access === 'device' || access === 'agent' ? caller : undefined,
        operator: access === 'operator' ? caller : undefined,
      }
      // `authenticate` has named the caller as `access` asks, which a route that is a type parameter
      // can't express.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return named as Caller<typeof route>
    }
    app.route({
      ...(bodyLimit !== undefined && { bodyLimit }),
      method: route.method,
      url: route.path,
      schema: fastifySchema(route),
      exposeHeadRoute: answersHead,
      config: { route, isQuiet },
      onRequest: async (request, reply) => {
        // Answers are for this caller at this moment. Routes whose answers may be cached say so.
        reply.header('cache-control', 'no-store')
        // A good device token is never limited. A bad one is counted where it is found out.
        const isCounted = access !== 'device' && access !== 'agent'
        if (isCounted && options.isUncounted?.(request) !== true) limitCalls(request)
        if (route.scope !== undefined && isByApiKey(request)) {
          callers.set(request, await authenticate.apiKey(request, route.scope))
        } else if (access !== 'anyone') {
          callers.set(request, await authenticate[access](request))
        }
        if (access === 'operator') await whenCurrent()
        if (refuseCaller === undefined) return
        // A body that is too large stays too large for every caller.
        if (Number(request.headers['content-length']) > (bodyLimit ?? bodyMaxBytes)) {
          throw new DomainError(route.tooLarge ?? 'too_large')
        }
        refuseCaller(callerOf(request), reply)
      },
      ...(webSocket && {
        preHandler: async (request: FastifyRequest) => {
          if (request.ws) await webSocket.beforeUpgrade(request)
        },
        wsHandler: (socket: ServerWebSocket, request: FastifyRequest) =>
          webSocket.accept(socket, request),
      }),
      handler: async (request, reply) => {
        const { params, query, body } = request
        const call = { params, query, body, ...callerOf(request), request, reply }
        // The schemas above have parsed the request, which Fastify's types can't express either.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const parsed = call as Call<typeof route>
        const { operator } = call
        const event = operator && options.audit?.(parsed)
        const result = event
          ? await audited(audit, { ...event, actor: actorOf(operator) }, () => handler(parsed))
          : await handler(parsed)
        if (result === undefined) return reply
        reply.code(result.status)
        return 'body' in result ? result.body : reply.send()
      },
    })
  }
}

/** Valibot's schemas, which `validateWithValibot` and `serializeByContract` read. */
function fastifySchema(route: Route): FastifySchema {
  return {
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: Object.fromEntries(
      Object.entries(route.answers).filter(([, schema]) => schema !== null),
    ),
  }
}
