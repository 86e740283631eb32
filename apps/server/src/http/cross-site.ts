import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../domain-error.ts'
import { isByApiKey } from './bearer-token.ts'
import type { OwnOrigin } from './own-origin.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

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
  // Browsers send Sec-Fetch-Site only over https and to loopback. No browser omits Origin as well.
  return headers.origin === undefined || headers.origin === ownOrigin(request)
}

/** Whether this site's own page sent a GET that changes something, or the user typed it: no prefetch. */
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
