import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import { addressKey, hourlyLimit, type RateLimits } from '../../http/rate-limits.ts'
import { hashToken } from '../../secret-token.ts'
import { accountMails } from './account-mails.ts'
import type { AccountsParts, IsOperator } from './accounts-parts.ts'
import { accountsRoutes } from './accounts-routes.ts'
import { avatarsRoutes } from './avatars-routes.ts'
import { cachedSessions } from './cached-sessions.ts'
import { loadCommonPasswords } from './common-passwords.ts'
import { emailRoutes } from './email-routes.ts'
import { findSignedInUser, isAlive, isUseDue, sessionsOverAt } from './find-signed-in-user.ts'
import { foldUsername } from './fold-username.ts'
import { invitesRoutes } from './operator/invites-routes.ts'
import { operatorUsersRoutes } from './operator/operator-users-routes.ts'
import { sqlOperatorUsersStore } from './operator/sql-operator-users-store.ts'
import { ownDataRoutes } from './own-data-routes.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { passwordRoutes } from './password-routes.ts'
import { createSessionCookie } from './session-cookie.ts'
import { sessionRoutes } from './session-routes.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'
import { sqlInvitesStore } from './sql-invites-store.ts'
import { sqlOneTimeCodesStore } from './sql-one-time-codes-store.ts'
import { watchedSessions } from './watched-sessions.ts'

const deleteExpiredMs = 10 * 60_000
/** An expired session, or one whose end was not published, is noticed after up to this plus one query. */
const checkWatchedMs = 500
const exportsPerHour = 10
const avatarsPerHour = 20
/** Expired users read at once, so that the backlog of a long downtime does not fill the memory. */
const expiredUsersAtOnce = 100
/** How long an expired invite stays in the operator's list. */
const inviteShownMs = 30 * 86_400_000

export async function accountsFeature(
  { storage, cluster, changes, clock, schedule, audit, log }: FeatureBase,
  {
    config: { publicUrl, siteName, demo, operators, maxUsers, registration },
    ownOrigin,
    mail,
    limits,
    parseCookie,
  }: Pick<AccountsParts, 'ownOrigin'> & {
    readonly config: Pick<
      Config,
      'publicUrl' | 'siteName' | 'demo' | 'registration' | 'operators' | 'maxUsers'
    >
    readonly mail: Pick<AccountsParts, 'mailer' | 'mailLimits'>
    readonly limits: AccountsParts['limits'] & Pick<RateLimits, 'isExempt'>
    readonly parseCookie: FastifyInstance['parseCookie']
  },
) {
  const stored = sqlAccountsStore(storage, { maxUsers })
  const watched = watchedSessions({ store: stored, clock })
  const { store, cachedSession, forgetAll } = cachedSessions(stored, clock)
  changes.subscribe('users', async ({ keys }) => {
    forgetAll()
    await watched.checkUsers(keys)
  })
  const sessionCookie = createSessionCookie(publicUrl)
  // A demo user's name is random.
  const isOperator: IsOperator = ({ username, isDemo }) =>
    !isDemo && operators.has(foldUsername(username))
  const sessionHashOf = (request: FastifyRequest) => hashToken(sessionCookie.read(request) ?? '')
  const parts = {
    publicUrl,
    ownOrigin,
    isDemoOn: demo,
    registration,
    operators,
    isOperator,
    store,
    operatorUsers: sqlOperatorUsersStore(storage, storage.longReads),
    codes: sqlOneTimeCodesStore(storage.db),
    invites: sqlInvitesStore(storage.db),
    clock,
    audit,
    passwordHasher: createPasswordHasher(),
    commonPasswords: await loadCommonPasswords(),
    throttle: createSignInThrottle({ clock, wait, servers: cluster.size }),
    sessionCookie,
    sessionHashOf,
    watchSession: (request: FastifyRequest, userKey: number) =>
      watched.watch({ tokenHash: sessionHashOf(request), userKey }),
    limits,
    limitedAddress: (request: FastifyRequest) =>
      limits.isExempt(request) ? null : addressKey(request),
    limitExports: hourlyLimit(exportsPerHour, cluster.size),
    limitUploads: hourlyLimit(avatarsPerHour, cluster.size),
    mails: accountMails(publicUrl, siteName),
    ...mail,
  }

  const findUser = async (request: FastifyRequest): Promise<UserCaller | undefined> => {
    const token = sessionCookie.read(request)
    const user = token === undefined ? undefined : await findSignedInUser({ store, clock }, token)
    if (user === undefined) return undefined
    const { key: userKey, username, name, avatar, hue, isNamePublic, isDemo } = user
    const shown = { userKey, username, name, avatar, hue, isNamePublic, isDemo }
    return { ...shown, isOperator: isOperator(user) }
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
      const token = cookie && sessionCookie.read({ cookies: parseCookie(cookie) })
      const found = token ? cachedSession(token) : undefined
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
    sessionHashOf,
    watchSessionOf: (held: { readonly sessionHash: Uint8Array; readonly userKey: number }) =>
      watched.watch({ tokenHash: held.sessionHash, userKey: held.userKey }),
    /** The holder of a session, read from storage; undefined once the session has ended. */
    findSessionHolder: async (sessionHash: Uint8Array) => {
      const found = await stored.findSession(sessionHash)
      if (found === undefined || !isAlive(found, clock())) return undefined
      return { shownName: found.user.name ?? found.user.username }
    },
    routes: async (app: FastifyInstance, given: Pick<AccountsParts, 'serve' | 'ownData'>) => {
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
      const all = { ...parts, serve: given.serve, ownData: given.ownData }
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
