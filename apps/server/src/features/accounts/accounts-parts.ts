import type { Registration } from '@astropelago/contract/accounts'
import type { FastifyRequest } from 'fastify'
import type { AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { WatchSession } from '../../http/watch-session.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { OwnDataKind } from '../../own-data.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { CommonPasswords } from './common-passwords.ts'
import type { InvitesStore } from './invites-store.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import type { OperatorUsersStore } from './operator/operator-users-store.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export type IsOperator = (user: { readonly username: string; readonly isDemo: boolean }) => boolean

/** Counts a call of a user. @throws DomainError `rate_limited` */
type UserLimit = (userKey: number) => void

export interface AccountsParts {
  readonly serve: Serve
  readonly publicUrl: string
  readonly ownOrigin: OwnOrigin
  readonly isDemoOn: boolean
  readonly registration: Registration
  /** The folded usernames from OPERATORS. */
  readonly operators: ReadonlySet<string>
  readonly isOperator: IsOperator
  readonly store: AccountsStore
  readonly operatorUsers: OperatorUsersStore
  readonly codes: OneTimeCodesStore
  readonly invites: InvitesStore
  readonly clock: Clock
  readonly audit: AuditLog
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly throttle: SignInThrottle
  readonly sessionCookie: SessionCookie
  readonly sessionHashOf: (request: FastifyRequest) => Uint8Array
  readonly watchSession: WatchSession
  readonly limits: Pick<RateLimits, 'makeAccount' | 'sendMail' | 'useCode'>
  /** The client's address for limits; null if none applies. */
  readonly limitedAddress: (request: FastifyRequest) => string | null
  readonly limitExports: UserLimit
  readonly limitUploads: UserLimit
  readonly mailer: Mailer
  readonly mails: AccountMails
  readonly mailLimits: MailLimits
  readonly ownData: readonly OwnDataKind[]
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
