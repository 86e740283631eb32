import { hintCookie } from '@astropelago/contract/me'
import { sessionMaxDays } from '@astropelago/contract/limits'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/
const maxAgeS = sessionMaxDays * 86_400

export function createSessionCookie(publicUrl: string) {
  // Browsers accept the `__Host-` prefix only over https. It keeps subdomains from planting the cookie.
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-astropelago_session' : 'astropelago_session'
  const attributes: CookieSerializeOptions = { path: '/', sameSite: 'lax', secure }
  return {
    name,
    read: ({ cookies }: Pick<FastifyRequest, 'cookies'>) => {
      const token = cookies[name]
      return token !== undefined && tokenPattern.test(token) ? token : undefined
    },
    set: (reply: FastifyReply, token: string) => {
      reply.setCookie(name, token, { ...attributes, httpOnly: true, maxAge: maxAgeS })
      reply.setCookie(hintCookie, '1', { ...attributes, maxAge: maxAgeS })
    },
    clear: (reply: FastifyReply) => {
      reply.clearCookie(name, { ...attributes, httpOnly: true })
      reply.clearCookie(hintCookie, attributes)
    },
  }
}
