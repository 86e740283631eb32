import { isAskedElsewhere, type Asking } from './browser-requests.ts'

/**
 * The relay's cookies, each on one island's host name: `visit` for a visitor who was let in, `door` for one
 * who is on the way to the site and back, `met` for one who has seen whose machine it is.
 */
export type AccessCookie = 'visit' | 'door' | 'met'

export interface AccessCookies {
  /** Undefined also if another site's page makes the browser send the request. */
  readonly read: (request: Asking, cookie: AccessCookie) => string | undefined
  /** The value of a `Set-Cookie` header. */
  readonly set: (cookie: AccessCookie, value: string, maxAgeS: number) => string
}

const valuePattern = /^[A-Za-z0-9_-]{1,43}$/

/**
 * The prefix keeps other host names from planting these cookies, but needs https. Plain http is for
 * localhost only. Browsers differ in whether they accept the prefix there, so it is left out, as for the
 * site's session cookie.
 */
export function createAccessCookies(publicUrl: string): AccessCookies {
  const isSecure = publicUrl.startsWith('https:')
  const nameOf = (cookie: AccessCookie) => `${isSecure ? '__Host-' : ''}astropelago_${cookie}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (request, cookie) => {
      const { headers } = request
      const start = `${nameOf(cookie)}=`
      const found = headers.cookie
        ?.split(';')
        .map((one) => one.trim())
        .find((one) => one.startsWith(start))
        ?.slice(start.length)
      if (found === undefined || !valuePattern.test(found)) return undefined
      return isAskedElsewhere(request) ? undefined : found
    },
    set: (cookie, value, maxAgeS) =>
      `${nameOf(cookie)}=${value}; Max-Age=${maxAgeS}; ${attributes}`,
  }
}
