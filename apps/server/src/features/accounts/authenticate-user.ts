import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { CachedSessions } from './cached-sessions.ts'
import { findSignedInUser, aliveUser } from './find-signed-in-user.ts'
import type { IsOperator } from './operator/is-operator.ts'
import type { SessionCookie } from './session-cookie.ts'

interface FindCallerOptions {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly sessionCookie: SessionCookie
  readonly isOperator: IsOperator
}

type FindCaller = (request: FastifyRequest) => Promise<UserCaller | undefined>

/** Finds the user by the session cookie; undefined for a visitor. */
export function findCaller({
  store,
  clock,
  sessionCookie,
  isOperator,
}: FindCallerOptions): FindCaller {
  return async (request) => {
    const token = sessionCookie.read(request)
    const user = token === undefined ? undefined : await findSignedInUser({ store, clock }, token)
    if (user === undefined) return undefined
    const { key: userKey, username, name, avatar, hue, isNamePublic, isDemo } = user
    return {
      userKey,
      username,
      name,
      avatar,
      hue,
      isNamePublic,
      isDemo,
      isOperator: isOperator(user),
    }
  }
}

/** For calls that need a user: throws `signed_out` for a visitor. */
export function authenticateUser(find: FindCaller) {
  return async (request: FastifyRequest): Promise<UserCaller> => {
    const user = await find(request)
    if (user === undefined) throw new DomainError('signed_out')
    return user
  }
}

interface KnownUserKeyOptions extends Pick<FindCallerOptions, 'clock' | 'sessionCookie'> {
  readonly knownSession: CachedSessions['knownSession']
  readonly parseCookie: FastifyInstance['parseCookie']
}

/** Finds the user outside Fastify and without waiting. Undefined leaves the request to `findCaller`. */
export function findCachedUserKey(options: KnownUserKeyOptions) {
  const { clock, sessionCookie, knownSession, parseCookie } = options
  return ({ headers: { cookie } }: IncomingMessage): number | undefined => {
    const token = cookie && sessionCookie.read({ cookies: parseCookie(cookie) })
    return token ? aliveUser(knownSession(token), clock())?.key : undefined
  }
}
