import {
  changePassword as changePasswordRoute,
  createResetCode,
  requestPasswordReset,
  resetPassword as resetPasswordRoute,
  resetPasswordPath,
} from '@astropelago/contract/passwords'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { AccountMails } from './account-mails.ts'
import type { AccountsStore } from './accounts-store.ts'
import { changePassword } from './change-password.ts'
import type { CommonPasswords } from './common-passwords.ts'
import { writePasswordCodes } from './mail-password-code.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { issuePasswordCode, resetPassword } from './reset-password.ts'
import type { SessionCookie } from './session-cookie.ts'
import { sessionOrigin } from './session-origin.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Sent when the mail queue is full. */
const mailRetryAfterS = 60

interface PasswordRoutesOptions {
  readonly serve: Serve
  readonly store: AccountsStore
  readonly codes: OneTimeCodesStore
  readonly clock: Clock
  readonly audit: AuditLog
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly throttle: SignInThrottle
  readonly sessionCookie: SessionCookie
  readonly limits: Pick<RateLimits, 'isExempt' | 'sendMail' | 'useCode'>
  readonly mailer: Mailer
  readonly mails: AccountMails
  readonly mailLimits: MailLimits
  readonly publicUrl: string
}

/** Changing a password, and resetting a lost one. */
export async function passwordRoutes(app: FastifyInstance, options: PasswordRoutesOptions) {
  const { serve, store, codes, clock, sessionCookie, limits, mailer, mails } = options

  /** Warns the user at the confirmed address, if there is one. */
  const warn = (user: { readonly userKey: number; readonly username: string }) =>
    mailer.post(async () => {
      const { address } = await codes.findEmail(user.userKey, clock())
      return address === null ? [] : [mails.passwordChanged({ ...user, address })]
    })

  serve(
    app,
    changePasswordRoute,
    async ({ user, body, request, reply }) => {
      const token = await changePassword(options, user, body, {
        address: limits.isExempt(request) ? null : addressKey(request),
        origin: sessionOrigin(request),
      })
      logEvent(request, 'password_changed', user.userKey)
      sessionCookie.set(reply, token)
      warn(user)
      return { status: 204 }
    },
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    requestPasswordReset,
    async ({ body, request }) => {
      limits.sendMail(request)
      // The account is looked up later, so the answer can't reveal whether it exists.
      const isPosted = mailer.post(() => writePasswordCodes(options, body.account))
      if (!isPosted) throw new DomainError('overloaded', { retryAfterS: mailRetryAfterS })
      return { status: 202 }
    },
    {
      refuseCaller: () => {
        if (!mailer.canSend) throw new DomainError('mail_off')
      },
    },
  )

  serve(app, resetPasswordRoute, async ({ body, request }) => {
    limits.useCode(request)
    const { key: userKey, username } = await resetPassword(options, body)
    logEvent(request, 'password_reset', userKey)
    warn({ userKey, username })
    return { status: 200, body: { username } }
  })

  serve(
    app,
    createResetCode,
    async ({ params }) => {
      const user = await store.findUser(params.username)
      if (user === undefined) throw new DomainError('not_found')
      if (user.isDemo) throw new DomainError('demo_account')
      const { code, expiresMs } = await issuePasswordCode(options, user.key)
      return {
        status: 201,
        body: {
          username: user.username,
          code,
          link: options.publicUrl + resetPasswordPath(code),
          expiresAt: new Date(expiresMs).toISOString(),
        },
      }
    },
    {
      audit: ({ params }) => ({
        action: 'reset_code.created',
        subject: userSubject(params.username),
      }),
    },
  )
}

function logEvent(
  request: FastifyRequest,
  event: 'password_changed' | 'password_reset',
  userKey: number,
): void {
  request.log.info({ event, userKey, address: request.ip }, 'account event')
}
