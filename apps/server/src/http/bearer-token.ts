import { apiKeyPrefix } from '@astropelago/contract/api-keys'
import type { FastifyRequest } from 'fastify'

/** The bearer token of a request (RFC 6750); empty if there is none. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [scheme, token] = headers.authorization?.split(/ +/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? '') : ''
}

/**
 * Whether an API key decides about the request, whose cookie is then ignored. So no other site's page can
 * use the route: browsers do not send this header to other sites without asking first.
 */
export function isByApiKey(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config
  return route?.scope !== undefined && bearerToken(request).startsWith(apiKeyPrefix)
}
