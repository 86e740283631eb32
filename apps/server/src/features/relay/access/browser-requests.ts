import type { IncomingMessage } from 'node:http'
import { isPageNavigation } from '../../../http/negotiation.ts'

/** Whether a browser sends the request, as any page can make it do, rather than a program such as curl. */
export function isBrowser({ headers }: IncomingMessage): boolean {
  const isByName = /^\s*(?:mozilla|opera)\//i.test(headers['user-agent'] ?? '')
  return (
    isByName || headers['sec-fetch-mode'] !== undefined || headers['sec-fetch-site'] !== undefined
  )
}

/** Whether a browser opens a page in a tab of its own, not in a frame of another page. */
export function opensPage({ method, headers }: IncomingMessage): boolean {
  const target = headers['sec-fetch-dest']
  return (
    method === 'GET' && isPageNavigation(headers) && (target === undefined || target === 'document')
  )
}

/**
 * Whether a page of another host name makes the browser send a request that opens no page. Until
 * RELAY_DOMAIN is a public suffix, browsers take all islands for one site. `SameSite` then sends one
 * island's cookies with requests that another island's pages make, even for a WebSocket, which they could
 * read.
 * Browsers from before 2023 may name the source only in `Origin` and `Referer`, and a page can make them
 * send neither. A request without them therefore counts as another page's, unless it opens a page.
 */
function isAskedElsewhere(request: IncomingMessage): boolean {
  const { 'sec-fetch-site': from, origin, referer, host } = request.headers
  if (from !== undefined) return !opensPage(request) && from !== 'same-origin' && from !== 'none'
  // With its own `Accept`, a script can look like a navigation, but navigations send no `Origin`.
  if (origin === undefined && (opensPage(request) || !isBrowser(request))) return false
  return nameIn(origin ?? referer ?? '') !== nameIn(`http://${host}`)
}

function nameIn(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}

/** `visit` holds a grant, `door` is set on the way to the site, `met` once it is shown whose machine it is. */
export type AccessCookie = 'visit' | 'door' | 'met'

export type AccessCookies = ReturnType<typeof createAccessCookies>

const valuePattern = /^[A-Za-z0-9_-]{1,43}$/

/** The prefix keeps other hosts from planting these cookies, but needs https. Plain http is for localhost. */
export function createAccessCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:')
  const nameOf = (cookie: AccessCookie) => `${isSecure ? '__Host-' : ''}astropelago_${cookie}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    /** Undefined also if another site's page makes the browser send the request. */
    read: (request: IncomingMessage, cookie: AccessCookie): string | undefined => {
      const start = `${nameOf(cookie)}=`
      const found = request.headers.cookie
        ?.split(';')
        .map((one) => one.trim())
        .find((one) => one.startsWith(start))
        ?.slice(start.length)
      if (found === undefined || !valuePattern.test(found)) return undefined
      return isAskedElsewhere(request) ? undefined : found
    },
    set: (cookie: AccessCookie, value: string, maxAgeS: number): string =>
      `${nameOf(cookie)}=${value}; Max-Age=${maxAgeS}; ${attributes}`,
  }
}
