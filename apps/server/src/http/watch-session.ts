import type { FastifyRequest } from 'fastify'

export interface WatchedSession {
  readonly signal: AbortSignal
  readonly stop: () => void
}

/** Ends a long call with its session: at once on the server that ends it, within a second on others. */
export type WatchSession = (request: FastifyRequest, userKey: number) => WatchedSession
