import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { AccountsStore } from './accounts-store.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import type { SessionCookie } from './session-cookie.ts'

interface AuthenticateUserOptions {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly sessionCookie: SessionCookie
}

/** Tells the user by the session cookie, or throws `signed_out`. */
export function authenticateUser({ store, clock, sessionCookie }: AuthenticateUserOptions) {
  return async (request: FastifyRequest): Promise<UserCaller> => {
    const token = sessionCookie.read(request)
    const user = token === undefined ? undefined : await findSignedInUser({ store, clock }, token)
    if (user === undefined) throw new DomainError('signed_out')
    const { key: userKey, username, name, avatar, isDemo } = user
    return { userKey, username, name, avatar, isDemo }
  }
}
