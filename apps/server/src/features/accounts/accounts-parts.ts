import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import { addressKey, hourlyLimit, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { OwnDataKind } from '../../own-data.ts'
import { hashToken } from '../../secret-token.ts'
import { accountMails } from './account-mails.ts'
import type { AccountsStore } from './accounts-store.ts'
import { cachedSessions } from './cached-sessions.ts'
import { loadCommonPasswords } from './common-passwords.ts'
import { foldUsername } from './fold-username.ts'
import type { InvitesStore } from './invites-store.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import type { OperatorUsersStore } from './operator/operator-users-store.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'
import { watchedSessions } from './watched-sessions.ts'

const exportsPerHour = 10
const avatarsPerHour = 20

export type IsOperator = (user: { readonly username: string; readonly isDemo: boolean }) => boolean

export interface AccountsOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'siteName' | 'demo' | 'registration' | 'operators' | 'maxUsers'
  >
  readonly ownOrigin: OwnOrigin
  readonly mail: { readonly mailer: Mailer; readonly mailLimits: MailLimits }
  readonly limits: Pick<RateLimits, 'makeAccount' | 'sendMail' | 'useCode' | 'isExempt'>
}

export type AccountsParts = Awaited<ReturnType<typeof accountsParts>> & {
  readonly serve: Serve
  readonly ownData: readonly OwnDataKind[]
}

export async function accountsParts(
  { cluster, changes, clock, audit }: FeatureBase,
  { config, ownOrigin, mail, limits }: AccountsOptions,
  stores: {
    readonly stored: AccountsStore
    readonly operatorUsers: OperatorUsersStore
    readonly codes: OneTimeCodesStore
    readonly invites: InvitesStore
  },
) {
  const { publicUrl, siteName, operators, registration } = config
  const { stored } = stores
  const watched = watchedSessions({ store: stored, clock })
  const { store, cachedSession, forgetAll } = cachedSessions(stored, clock)
  changes.subscribe('users', async ({ keys }) => {
    forgetAll()
    await watched.checkUsers(keys)
  })
  const sessionCookie = createSessionCookie(publicUrl)
  const sessionHashOf = (request: FastifyRequest) => hashToken(sessionCookie.read(request) ?? '')
  // A demo user's name is random.
  const isOperator: IsOperator = ({ username, isDemo }) =>
    !isDemo && operators.has(foldUsername(username))
  return {
    publicUrl,
    ownOrigin,
    isDemoOn: config.demo,
    registration,
    operators,
    isOperator,
    ...stores,
    store,
    cachedSession,
    watched,
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
    /** The client's address for limits; null if none applies. */
    limitedAddress: (request: FastifyRequest) =>
      limits.isExempt(request) ? null : addressKey(request),
    limitExports: hourlyLimit(exportsPerHour, cluster.size),
    limitUploads: hourlyLimit(avatarsPerHour, cluster.size),
    mails: accountMails(publicUrl, siteName),
    ...mail,
  }
}

type AccountEvent =
  | 'signed_in'
  | 'sign_in_failed'
  | 'registered'
  | 'demo_signed_in'
  | 'signed_out'
  | 'password_changed'
  | 'password_reset'
  | 'user_deleted'

/** @param userKey instead of the typed username, which may be a password in the wrong field */
export function logEvent(
  request: FastifyRequest,
  event: AccountEvent,
  userKey: number | null,
): void {
  request.log.info({ event, userKey, address: request.ip }, 'account event')
}
