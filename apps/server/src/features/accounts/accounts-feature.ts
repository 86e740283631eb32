import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import { accountsParts, type AccountsOptions, type AccountsParts } from './accounts-parts.ts'
import { accountsRoutes, sessionRoutes } from './accounts-routes.ts'
import { avatarsRoutes } from './avatars-routes.ts'
import { emailRoutes } from './email-routes.ts'
import { findSignedInUser, isAlive, isUseDue, sessionsOverAt } from './find-signed-in-user.ts'
import { invitesRoutes } from './operator/invites-routes.ts'
import { operatorUsersRoutes } from './operator/operator-users-routes.ts'
import { sqlOperatorUsersStore } from './operator/sql-operator-users-store.ts'
import { ownDataRoutes } from './own-data-routes.ts'
import { passwordRoutes } from './password-routes.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'
import { sqlInvitesStore } from './sql-invites-store.ts'
import { sqlOneTimeCodesStore } from './sql-one-time-codes-store.ts'

const deleteExpiredMs = 10 * 60_000
/** An expired session, or one whose end was not published, is noticed after up to this plus one query. */
const checkWatchedMs = 500
/** Expired users read at once, so that the backlog of a long downtime does not fill the memory. */
const expiredUsersAtOnce = 100
const inviteShownMs = 30 * 86_400_000

export async function accountsFeature(
  base: FeatureBase,
  options: AccountsOptions & { readonly parseCookie: FastifyInstance['parseCookie'] },
) {
  const { storage, clock, schedule, log } = base
  const parts = await accountsParts(base, options, {
    stored: sqlAccountsStore(storage, { maxUsers: options.config.maxUsers }),
    operatorUsers: sqlOperatorUsersStore(storage, storage.longReads),
    codes: sqlOneTimeCodesStore(storage.db),
    invites: sqlInvitesStore(storage.db),
  })
  const { store, stored, watched, sessionCookie, operators, isOperator } = parts

  const findUser = async (request: FastifyRequest): Promise<UserCaller | undefined> => {
    const token = sessionCookie.read(request)
    const user = token === undefined ? undefined : await findSignedInUser({ store, clock }, token)
    if (user === undefined) return undefined
    const { key: userKey, username, name, avatar, hue, isNamePublic, isDemo } = user
    const isUserOperator = isOperator(user)
    return {
      userKey,
      username,
      name,
      avatar,
      hue,
      isNamePublic,
      isDemo,
      isOperator: isUserOperator,
    }
  }

  schedule.everyOnLeader(deleteExpiredMs, 'could not delete expired accounts', () =>
    deleteExpired(parts),
  )
  schedule.every(checkWatchedMs, 'could not check for ended sessions', () => watched.check())

  return {
    sessionCookieName: sessionCookie.name,
    findUser,
    findUserKey: async (username: string) => (await store.findUser(username))?.key,
    findOperatorKeys: async () => {
      const found = await Promise.all([...operators].map((name) => store.findUser(name)))
      return found.flatMap((user) => (user !== undefined && isOperator(user) ? [user.key] : []))
    },
    figures: parts.operatorUsers.figures,
    /** The user of a cached session, outside Fastify and without waiting. Undefined leaves it to `findUser`. */
    cachedUserKey: ({ headers: { cookie } }: IncomingMessage): number | undefined => {
      const token = cookie && sessionCookie.read({ cookies: options.parseCookie(cookie) })
      const found = token ? parts.cachedSession(token) : undefined
      const nowMs = clock()
      if (found === undefined || !isAlive(found, nowMs) || isUseDue(found, nowMs)) return undefined
      return found.user.key
    },
    /** @throws DomainError `signed_out` for a visitor */
    authenticate: async (request: FastifyRequest) => {
      const user = await findUser(request)
      if (user === undefined) throw new DomainError('signed_out')
      return user
    },
    watchSession: parts.watchSession,
    sessionHashOf: parts.sessionHashOf,
    watchSessionOf: (held: { readonly sessionHash: Uint8Array; readonly userKey: number }) =>
      watched.watch({ tokenHash: held.sessionHash, userKey: held.userKey }),
    /** The holder of a session, read from storage; undefined once the session has ended. */
    findSessionHolder: async (sessionHash: Uint8Array) => {
      const found = await stored.findSession(sessionHash)
      if (found === undefined || !isAlive(found, clock())) return undefined
      const { name, username, isDemo, createdMs } = found.user
      return { shownName: name ?? username, isDemo, createdMs, isOperator: isOperator(found.user) }
    },
    routes: async (
      app: FastifyInstance,
      { serve, ownData }: Pick<AccountsParts, 'serve' | 'ownData'>,
    ) => {
      // The command line's own app never listens, and it may be about to create these accounts.
      app.addHook('onListen', async () => {
        for (const operator of operators) {
          if ((await store.findUser(operator)) !== undefined) continue
          log.warn(
            `OPERATORS: nobody is called ${operator} yet, and nobody can register that name; npm run admin -- ` +
              `users create ${operator} makes the account`,
          )
        }
      })
      const all = { ...parts, serve, ownData }
      await accountsRoutes(app, all)
      await avatarsRoutes(app, all)
      await sessionRoutes(app, all)
      await passwordRoutes(app, all)
      await emailRoutes(app, all)
      await ownDataRoutes(app, all)
      await operatorUsersRoutes(app, all)
      await invitesRoutes(app, all)
    },
  }
}

export async function deleteExpired({
  store,
  codes,
  invites,
  clock,
}: Pick<AccountsParts, 'store' | 'codes' | 'invites' | 'clock'>) {
  const nowMs = clock()
  const sessions = await store.deleteSessions(sessionsOverAt(nowMs))
  await codes.deleteExpired(nowMs)
  await invites.deleteExpired(nowMs - inviteShownMs)
  let users = 0
  for (;;) {
    const expired = await store.listExpiredUsers(nowMs, expiredUsersAtOnce)
    for (const user of expired) await store.deleteUser(user.key)
    users += expired.length
    if (expired.length < expiredUsersAtOnce) return { sessions, users }
  }
}
