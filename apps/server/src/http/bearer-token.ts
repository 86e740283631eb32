import { apiKeyPrefix } from '@astropelago/contract/api-keys'
import type { FastifyRequest } from 'fastify'

/** The bearer token of a request (RFC 6750); empty if there is none. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const [scheme, token] = headers.authorization?.split(/ +/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? '') : ''
}

/** Whether an API key decides and the cookie is ignored. Browsers send no keys to other sites unasked. */
export function isByApiKey(request: FastifyRequest): boolean {
  const { route } = request.routeOptions.config
  return route?.scope !== undefined && bearerToken(request).startsWith(apiKeyPrefix)
}
