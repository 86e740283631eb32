import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { accountsRoutes } from './accounts-routes.ts'
import { authenticateUser, findCaller, findKnownUserKey } from './authenticate-user.ts'
import { cachedSessions } from './cached-sessions.ts'
import { loadCommonPasswords } from './common-passwords.ts'
import { deleteExpired } from './delete-expired.ts'
import { isOperatorOf } from './operator/is-operator.ts'
import { operatorUsersRoutes } from './operator/operator-users-routes.ts'
import { sqlOperatorUsersStore } from './operator/sql-operator-users-store.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'

const deleteExpiredMs = 10 * 60_000

interface AccountsFeatureOptions {
  readonly publicUrl: string
  readonly ownOrigin: OwnOrigin
  readonly isDemoOn: boolean
  /** Their usernames, folded. */
  readonly operators: ReadonlySet<string>
  readonly maxUsers: number
  readonly limits: Pick<RateLimits, 'makeAccount' | 'isExempt'>
  /** What the end of a user's device means beyond storage. */
  readonly forgetDevice: (deviceKey: number) => void
  /** What it means for devices that their user was turned off or on. */
  readonly noteOwnerChange: (deviceKeys: readonly number[]) => Promise<void>
  readonly parseCookie: FastifyInstance['parseCookie']
}

/** Users and their sessions. */
export async function accountsFeature(
  { storage, cluster, clock, schedule }: FeatureBase,
  {
    publicUrl,
    ownOrigin,
    isDemoOn,
    operators,
    maxUsers,
    limits,
    forgetDevice,
    noteOwnerChange,
    parseCookie,
  }: AccountsFeatureOptions,
) {
  const { store, knownSession } = cachedSessions(sqlAccountsStore(storage.db, { maxUsers }), clock)
  const sessionCookie = createSessionCookie(publicUrl)
  const isOperator = isOperatorOf(operators)
  const findUser = findCaller({ store, clock, sessionCookie, isOperator })
  const parts = {
    store,
    clock,
    passwordHasher: createPasswordHasher(),
    commonPasswords: await loadCommonPasswords(),
    throttle: createSignInThrottle({ clock, wait, servers: cluster.size }),
    sessionCookie,
    limits,
    ownOrigin,
    isDemoOn,
    isOperator,
  }
  const operatorUsers = sqlOperatorUsersStore(storage.db)

  schedule.every(deleteExpiredMs, 'expired accounts were kept', async () => {
    if (cluster.leads()) await deleteExpired({ store, clock, forgetDevice })
  })

  return {
    sessionCookieName: sessionCookie.name,
    findUser,
    findUserKey: async (username: string) => (await store.findUser(username))?.key,
    figures: operatorUsers.figures,
    knownUserKey: findKnownUserKey({ knownSession, clock, sessionCookie, parseCookie }),
    authenticate: authenticateUser(findUser),
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      await accountsRoutes(app, { ...parts, serve })
      await operatorUsersRoutes(app, {
        ...parts,
        serve,
        operatorUsers,
        forgetDevice,
        noteOwnerChange,
      })
    },
  }
}
