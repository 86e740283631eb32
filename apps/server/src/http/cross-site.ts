import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../domain-error.ts'
import { isByApiKey } from './bearer-token.ts'
import type { OwnOrigin } from './own-origin.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses unsafe methods that another site's page sent with this site's cookie. */
export function refuseCrossSite(app: FastifyInstance, ownOrigin: OwnOrigin): void {
  app.addHook('onRequest', async (request) => {
    if (safeMethods.has(request.method) || isByApiKey(request)) return
    if (!isSameOrigin(request, ownOrigin)) throw new DomainError('cross_site')
  })
}

function isSameOrigin(request: FastifyRequest, ownOrigin: OwnOrigin): boolean {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers send Sec-Fetch-Site over https and to loopback only. No browser omits Origin too.
  return headers.origin === undefined || headers.origin === ownOrigin(request)
}

/**
 * Whether a GET that changes something was meant by the user: sent by this site's own page or typed.
 * Prefetches are not, whoever asks for them.
 */
export function isMeantByUser(request: FastifyRequest, ownOrigin: OwnOrigin): boolean {
  const { headers } = request
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? ''
  if (String(purpose).includes('prefetch')) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { referer } = headers
  if (referer === undefined) return true
  return URL.canParse(referer) && new URL(referer).origin === ownOrigin(request)
}
