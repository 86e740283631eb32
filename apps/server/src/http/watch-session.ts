import type { FastifyRequest } from 'fastify'

export interface WatchedSession {
  /** Aborts when the session has ended. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Watches the session of a user's call that lasts, such as a stream, and which its user or an operator may
 * end meanwhile: at once where that happens on this server, and within a second elsewhere.
 */
export type WatchSession = (request: FastifyRequest, userKey: number) => WatchedSession
