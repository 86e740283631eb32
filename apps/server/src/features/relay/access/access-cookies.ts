import type { IncomingMessage } from 'node:http'
import { isAskedElsewhere } from './browser-requests.ts'

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
