import { isAskedElsewhere, type Asking } from './browser-requests.ts'

/**
 * What the relay keeps in a browser on an island's host name, and nowhere else: `visit` for who was let in,
 * `door` for who is on the way to the site and back, `met` for who has seen whose machine it is.
 */
export type DoorCookie = 'visit' | 'door' | 'met'

export interface DoorCookies {
  /** Undefined too where a page of somebody else's has the browser ask. */
  readonly read: (request: Asking, cookie: DoorCookie) => string | undefined
  /** The value of a header `Set-Cookie`. */
  readonly set: (cookie: DoorCookie, value: string, maxAgeS: number) => string
}

const valuePattern = /^[A-Za-z0-9_-]{1,43}$/

/**
 * By the prefix no other host name can plant one. It goes with https; over plain http, at localhost alone,
 * browsers differ in whether they take it, and none is left out, as with the site's session.
 */
export function createDoorCookies(publicUrl: string): DoorCookies {
  const isSecure = publicUrl.startsWith('https:')
  const nameOf = (cookie: DoorCookie) => `${isSecure ? '__Host-' : ''}astropelago_${cookie}`
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
