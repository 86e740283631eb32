import type { FastifyRequest } from 'fastify'

export interface WatchedSession {
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Watches the session of a long call, such as a stream. The call ends with it: at once on the server that
 * ends the session, within a second on others.
 */
export type WatchSession = (request: FastifyRequest, userKey: number) => WatchedSession
