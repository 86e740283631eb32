import { hintCookie } from '@astropelago/contract/me'
import { sessionMaxDays } from '@astropelago/contract/limits'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
const maxAgeS = sessionMaxDays * 86_400

/** The cookie with the session token, and a readable cookie that hints at a session. */
export interface SessionCookie {
  readonly name: string
  /** The token from the browser, if it is well-formed. */
  readonly read: (request: Pick<FastifyRequest, 'cookies'>) => string | undefined
  readonly set: (reply: FastifyReply, token: string) => void
  readonly clear: (reply: FastifyReply) => void
}

/** Browsers accept the `__Host-` prefix only over https. It keeps subdomains from planting the cookie. */
export function createSessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-astropelago_session' : 'astropelago_session'
  const attributes: CookieSerializeOptions = { path: '/', sameSite: 'lax', secure }
  return {
    name,
    read: ({ cookies }) => {
      const token = cookies[name]
      return token !== undefined && tokenPattern.test(token) ? token : undefined
    },
    set: (reply, token) => {
      reply.setCookie(name, token, { ...attributes, httpOnly: true, maxAge: maxAgeS })
      reply.setCookie(hintCookie, '1', { ...attributes, maxAge: maxAgeS })
    },
    clear: (reply) => {
      reply.clearCookie(name, { ...attributes, httpOnly: true })
      reply.clearCookie(hintCookie, attributes)
    },
  }
}
