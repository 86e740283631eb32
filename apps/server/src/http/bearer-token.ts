import { apiKeyPrefix } from '@astropelago/contract/api-keys'
import type { FastifyRequest } from 'fastify'

/** The secret that a request bears, as RFC 6750 has it; empty where it bears none. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [scheme, token] = headers.authorization?.split(/ +/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? '') : ''
}

/**
 * Whether the request is to be judged by an API key: its route lets keys in, and it bears one. Then
 * its cookie counts for nothing, so that no other site's page can make it: browsers add no such header
 * to what a page sends elsewhere without asking first.
 */
export function isByApiKey(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config
  return route?.scope !== undefined && bearerToken(request).startsWith(apiKeyPrefix)
}
