import type { IncomingMessage } from 'node:http'
import { isPageNavigation } from '../../../http/page-navigation.ts'

export type Asking = Pick<IncomingMessage, 'method' | 'headers'>

/**
 * Whether a browser sends a request, which can be made to by any page. What people run themselves, such as curl
 * or a game, says nothing of the sort: it is told of no machine that they did not name.
 */
export function isBrowser({ headers }: Pick<Asking, 'headers'>): boolean {
  const isByName = /^\s*(?:mozilla|opera)\//i.test(headers['user-agent'] ?? '')
  return (
    isByName || headers['sec-fetch-mode'] !== undefined || headers['sec-fetch-site'] !== undefined
  )
}

/** Whether a browser opens a page by itself, rather than in a frame of another one. */
export function isVisit({ method, headers }: Asking): boolean {
  const target = headers['sec-fetch-dest']
  return (
    method === 'GET' && isPageNavigation(headers) && (target === undefined || target === 'document')
  )
}

/**
 * Whether another page than one of this host name has a browser ask for something that is no page of its own. Until
 * RELAY_DOMAIN is a public suffix all islands are one site to browsers: `SameSite` sends a visit to one island along
 * with what a page of another one asks of it, a WebSocket that it could read included.
 *
 * Browsers before 2023 may say by `Origin` and `Referer` alone where a request comes from. A page can have them say
 * neither, so one without is another page's. Only pages that are opened come without in good faith.
 */
export function isAskedElsewhere(request: Asking): boolean {
  const { 'sec-fetch-site': from, origin, referer, host } = request.headers
  if (from !== undefined) return !isVisit(request) && from !== 'same-origin' && from !== 'none'
  // A script can ask for anything as if it opened a page, by its `Accept`; whoever opens one says no origin.
  if (origin === undefined && (isVisit(request) || !isBrowser(request))) return false
  return nameIn(origin ?? referer ?? '') !== nameIn(`http://${host}`)
}

function nameIn(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}
