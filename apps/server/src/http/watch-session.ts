import type { FastifyRequest } from 'fastify'

export interface WatchedSession {
  /** Aborts when the session has ended. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Watches the session of a long call, such as a stream. Its user or an operator may end it meanwhile, which
 * is noticed at once on this server and within a second on others.
 */
export type WatchSession = (request: FastifyRequest, userKey: number) => WatchedSession
