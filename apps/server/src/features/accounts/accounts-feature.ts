import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import { hourlyLimit, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { OwnDataKind } from '../../own-data.ts'
import { hashToken } from '../../secret-token.ts'
import { accountMails } from './account-mails.ts'
import { accountsRoutes } from './accounts-routes.ts'
import { authenticateUser, findCaller, findCachedUserKey } from './authenticate-user.ts'
import { avatarsRoutes } from './avatars/avatars-routes.ts'
import { cachedSessions } from './cached-sessions.ts'
import { loadCommonPasswords } from './common-passwords.ts'
import { isAlive } from './find-signed-in-user.ts'
import { deleteExpired } from './delete-expired.ts'
import { emailRoutes } from './email-routes.ts'
import { invitesRoutes } from './operator/invites-routes.ts'
import { isOperatorOf } from './operator/is-operator.ts'
import { operatorHostsRoutes } from './operator/operator-hosts-routes.ts'
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
import { WatchedSessions } from './watched-sessions.ts'

const deleteExpiredMs = 10 * 60_000
/** A session that expires, or whose end nobody heard of, is noticed after up to this long plus one query. */
const checkWatchedMs = 500
const exportsPerHour = 10
const avatarsPerHour = 20

interface AccountsFeatureOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'siteName' | 'demo' | 'registration' | 'operators' | 'maxUsers'
  >
  readonly ownOrigin: OwnOrigin
  readonly mail: { readonly mailer: Mailer; readonly mailLimits: MailLimits }
  readonly limits: Pick<RateLimits, 'makeAccount' | 'sendMail' | 'useCode' | 'isExempt'>
  readonly parseCookie: FastifyInstance['parseCookie']
}

interface StoredSession {
  readonly sessionHash: Uint8Array
  readonly userKey: number
}

interface AccountsRoutesParts {
  readonly serve: Serve
  /** The data that other features hold about users. */
  readonly ownData: readonly OwnDataKind[]
}

/** Users, their sessions, and the management of their accounts. */
export async function accountsFeature(
  { storage, cluster, changes, clock, schedule, audit, log }: FeatureBase,
  options: AccountsFeatureOptions,
) {
  const { config, ownOrigin, mail, limits, parseCookie } = options
  const { publicUrl, siteName, operators, maxUsers, registration } = config
  const stored = sqlAccountsStore(storage, { maxUsers })
  const watched = new WatchedSessions({ store: stored, clock })
  const { store, knownSession, forgetAll } = cachedSessions(stored, clock)
  changes.subscribe('users', async ({ keys }) => {
    forgetAll()
    await watched.checkUsers(keys)
  })
  const sessionCookie = createSessionCookie(publicUrl)
  const isOperator = isOperatorOf(operators)
  const findUser = findCaller({ store, clock, sessionCookie, isOperator })
  const watchSession: WatchSession = (request, userKey) =>
    watched.watch({ tokenHash: hashToken(sessionCookie.read(request) ?? ''), userKey })
  const codes = sqlOneTimeCodesStore(storage.db)
  const invites = sqlInvitesStore(storage.db)
  const parts = {
    publicUrl,
    ownOrigin,
    isDemoOn: config.demo,
    registration,
    operators,
    maxUsers,
    limits,
    ...mail,
    store,
    codes,
    invites,
    clock,
    audit,
    passwordHasher: createPasswordHasher(),
    commonPasswords: await loadCommonPasswords(),
    throttle: createSignInThrottle({ clock, wait, servers: cluster.size }),
    sessionCookie,
    isOperator,
    mails: accountMails(publicUrl, siteName),
    limitExports: hourlyLimit(exportsPerHour, cluster.size),
    limitUploads: hourlyLimit(avatarsPerHour, cluster.size),
  }
  const operatorUsers = sqlOperatorUsersStore(storage, storage.longReads)

  schedule.everyOnLeader(deleteExpiredMs, 'could not delete expired accounts', () =>
    deleteExpired(parts),
  )
  schedule.every(checkWatchedMs, 'could not check for ended sessions', () => watched.check())

  return {
    sessionCookieName: sessionCookie.name,
    findUser,
    findUserKey: async (username: string) => (await store.findUser(username))?.key,
    /** The operators that OPERATORS names. */
    findOperatorKeys: async () => {
      const found = await Promise.all([...operators].map((name) => store.findUser(name)))
      return found.flatMap((user) => (user !== undefined && isOperator(user) ? [user.key] : []))
    },
    figures: operatorUsers.figures,
    cachedUserKey: findCachedUserKey({ knownSession, clock, sessionCookie, parseCookie }),
    authenticate: authenticateUser(findUser),
    watchSession,
    /** The hash of the session token that the request carries. */
    sessionHashOf: (request: FastifyRequest) => hashToken(sessionCookie.read(request) ?? ''),
    /** Watches a session by its stored hash. */
    watchSessionOf: ({ sessionHash, userKey }: StoredSession) =>
      watched.watch({ tokenHash: sessionHash, userKey }),
    /** The holder of a session, read from storage; undefined once the session has ended. */
    findSessionHolder: async (sessionHash: Uint8Array) => {
      const found = await stored.findSession(sessionHash)
      if (found === undefined || !isAlive(found, clock())) return undefined
      return { shownName: found.user.name ?? found.user.username }
    },
    routes: async (app: FastifyInstance, { serve, ownData }: AccountsRoutesParts) => {
      // The command line's own app never listens, and it may be about to create these accounts.
      app.addHook('onListen', async () => {
        for (const operator of operators) {
          if ((await store.findUser(operator)) === undefined) log.warn(nobodyIs(operator))
        }
      })
      await accountsRoutes(app, { ...parts, serve })
      await avatarsRoutes(app, { ...parts, serve })
      await sessionRoutes(app, { ...parts, serve })
      await passwordRoutes(app, { ...parts, serve })
      await emailRoutes(app, { ...parts, serve })
      await ownDataRoutes(app, { ...parts, serve, watchSession, ownData })
      await operatorUsersRoutes(app, { ...parts, serve, operatorUsers })
      await operatorHostsRoutes(app, { ...parts, serve, operatorUsers })
      await invitesRoutes(app, { ...parts, serve })
    },
  }
}

function nobodyIs(operator: string): string {
  return (
    `OPERATORS: nobody is called ${operator} yet, and nobody can register that name; npm run admin -- users create ` +
    `${operator} makes the account`
  )
}
