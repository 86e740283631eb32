import {
  changePassword,
  createResetCode,
  requestPasswordReset,
  resetPassword as resetPasswordRoute,
  resetPasswordPath,
} from '@astropelago/contract/passwords'
import type { FastifyInstance } from 'fastify'
import { audited, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { logEvent, type AccountsParts } from './accounts-parts.ts'
import { checkNewPassword } from './common-passwords.ts'
import { confirmPassword } from './confirm-password.ts'
import { issuePasswordCode, resetPassword, writePasswordCodes } from './reset-password.ts'
import { sessionOrigin, startSession } from './start-session.ts'

/** Sent when the mail queue is full. */
const mailRetryAfterS = 60

export async function passwordRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, codes, clock, limits, mailer, mails } = parts

  const warn = (userKey: number, username: string) =>
    mailer.post(async () => {
      const { address } = await codes.findEmail(userKey, clock())
      return address === null ? [] : [mails.passwordChanged({ username, address })]
    })

  // All sessions and API keys end, and this browser gets a new session.
  serve(
    app,
    changePassword,
    async ({ user, body: { password, newPassword }, request, reply }) => {
      const { userKey, username } = user
      checkNewPassword(parts.commonPasswords, newPassword, username)
      const from = await confirmPassword(parts, user, password, parts.limitedAddress(request))
      const to = await parts.passwordHasher.hash(newPassword)
      const subject = userSubject(username)
      const event = { actor: subject, action: 'password.changed', subject }
      await audited(parts.audit, event, async () => {
        const isReplaced = await store.replacePassword(userKey, from, to)
        // Another change came first.
        if (!isReplaced) throw new DomainError('wrong_password')
      })
      const started = { origin: sessionOrigin(request), verifiedHash: to }
      const token = await startSession(parts, userKey, undefined, started)
      logEvent(request, 'password_changed', userKey)
      parts.sessionCookie.set(reply, token)
      warn(userKey, username)
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
      const isPosted = mailer.post(() => writePasswordCodes(parts, body.account))
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
    const { key, username } = await resetPassword(parts, body)
    logEvent(request, 'password_reset', key)
    warn(key, username)
    return { status: 200, body: { username } }
  })

  serve(
    app,
    createResetCode,
    async ({ params }) => {
      const user = await store.findUser(params.username)
      if (user === undefined) throw new DomainError('not_found')
      if (user.isDemo) throw new DomainError('demo_account')
      const { code, expiresMs } = await issuePasswordCode(parts, user.key)
      return {
        status: 201,
        body: {
          username: user.username,
          code,
          link: parts.publicUrl + resetPasswordPath(code),
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
