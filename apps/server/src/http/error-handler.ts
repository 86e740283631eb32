import type { ErrorBody } from '@astropelago/contract/error-body'
import { errors, type ErrorCode } from '@astropelago/contract/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../domain-error.ts'
import {
  ReferenceViolation,
  StorageUnavailable,
  TextUnstorable,
  TotalReached,
} from '../storage/storage-error.ts'
import { isByApiKey } from './bearer-token.ts'
import { RequestInvalid } from './schema-compilers.ts'

const storageRetryAfterS = 2
const closingRetryAfterS = 1

/**
 * Maps every error to a code of the contract. The only place that knows the status of each code.
 * @param kept where the data is, for the log
 */
export function handleErrors(app: FastifyInstance, kept: Readonly<Record<string, string>>): void {
  const outage = new StorageOutage()
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode >= 500) return
    const calls = outage.endBy(routeOf(request))
    if (calls > 0) app.log.info({ ...kept, calls }, 'storage works again; so many calls got 503')
  })
  app.setErrorHandler<Error>((error, request, reply) => {
    const refusal = toDomainError(error, request)
    if (error instanceof StorageUnavailable) {
      outage.note(routeOf(request))
      // The code is not to blame: every call fails, and a stack for each would hide everything else.
      request.log.error({ reason: reasonOf(error), ...kept }, 'storage unavailable: answered 503')
    } else if (error === request.raw.errored) {
      // Nobody reads the answer any more.
      request.log.info('the caller left before the end of its request')
    } else if (isFailure(refusal.code)) {
      request.log.error({ err: error }, 'request failed')
    } else {
      request.log.info({ code: refusal.code }, 'request refused')
    }
    return sendError(request, reply, refusal)
  })
}

/**
 * Storage that was away counts as back once a call of a kind that failed is answered. Other calls may not
 * need storage.
 */
class StorageOutage {
  readonly #routes = new Set<string>()
  #calls = 0

  note(route: string): void {
    this.#routes.add(route)
    this.#calls += 1
  }

  /** @returns how many calls failed, if this one ends the outage; else 0 */
  endBy(route: string): number {
    if (!this.#routes.has(route)) return 0
    const calls = this.#calls
    this.#routes.clear()
    this.#calls = 0
    return calls
  }
}

function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url ?? ''}`
}

/** For a server that closes: clients should come back when it or another one is there. */
export function refuseWhileClosing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(
    request,
    reply,
    new DomainError('overloaded', { retryAfterS: closingRetryAfterS }),
  )
}

/**
 * Refuses calls to unknown paths before their bodies are read, so that they look the same as paths that
 * exist for others only.
 */
export function refuseUnknownCalls(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (request.is404 && /^\/(api|_spark)([/?]|$)/.test(request.url)) {
      throw new DomainError('not_found')
    }
  })
}

export function refuseUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(request, reply, new DomainError('not_found'))
}

/** The operator's choice, not a failure. */
const chosen: ReadonlySet<ErrorCode> = new Set(['llm_not_configured', 'relay_stopped'])

function isFailure(code: ErrorCode): boolean {
  return errors[code].status >= 500 && !chosen.has(code)
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, fields, retryAfterS }: DomainError,
): FastifyReply {
  const { status, sentence } = errors[code]
  if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
  if (code === 'invalid_token' || code === 'invalid_api_key')
    reply.header('www-authenticate', 'Bearer')
  // The sign-in screens read the code itself from `error`.
  const isAuthCall = request.routeOptions.url?.startsWith('/api/auth/') === true
  const body: ErrorBody = { error: isAuthCall ? code : sentence, code, ...(fields && { fields }) }
  return reply.code(status).header('cache-control', 'no-store').type('application/json').send(body)
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== message
    ? `${message}: ${cause.message}`
    : message
}

function toDomainError(error: Error, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof RequestInvalid) {
    const { route } = request.routeOptions.config
    return new DomainError(route?.invalid ?? 'invalid_input', { fields: error.fields })
  }
  if (error instanceof StorageUnavailable) {
    return new DomainError('overloaded', { cause: error, retryAfterS: storageRetryAfterS })
  }
  if (error instanceof TextUnstorable) return new DomainError('invalid_input', { cause: error })
  if (error instanceof TotalReached) return new DomainError('server_full', { cause: error })
  // Deleted a moment ago, while memory still let them in. They get what their next call would get.
  if (error instanceof ReferenceViolation && request.routeOptions.config.route?.access === 'user') {
    return new DomainError(isByApiKey(request) ? 'invalid_api_key' : 'signed_out', { cause: error })
  }
  const { tooLarge = 'too_large' } = request.routeOptions.config.route ?? {}
  const code = codeOfFastifyError(error)
  return new DomainError(code === 'too_large' ? tooLarge : code, { cause: error })
}

/** Fastify's own refusals: unreadable JSON, an oversized body, a content type without a parser. */
function codeOfFastifyError(error: Error & Partial<FastifyError>): ErrorCode {
  switch (error.statusCode) {
    case 400:
      return 'invalid_input'
    case 413:
      return 'too_large'
    case 415:
      return 'unsupported_media_type'
    default:
      return 'server_error'
  }
}
