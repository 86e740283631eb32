import { changeEmail, confirmEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { emailCodeHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { actorOf, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { MailLimits } from '../../mail/mail-limits.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { hashCode, hashTypedCode, makeCode } from '../../one-time-code.ts'
import type { AccountMails } from './account-mails.ts'
import { confirmPassword, type ConfirmPasswordDeps } from './confirm-password.ts'
import type { OneTimeCodesStore } from './one-time-codes-store.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'

const hourMs = 3_600_000
/** Only the newest code is valid: one address at a time waits for confirmation. */
const emailCodesPerUser = 1

interface EmailRoutesOptions extends ConfirmPasswordDeps {
  readonly serve: Serve
  readonly codes: OneTimeCodesStore
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'note'>
  readonly limits: Pick<RateLimits, 'isExempt' | 'sendMail' | 'useCode'>
  readonly mailer: Mailer
  readonly mails: AccountMails
  readonly mailLimits: MailLimits
}

/** An account's e-mail address, which is used only once it is confirmed. */
export async function emailRoutes(app: FastifyInstance, options: EmailRoutesOptions) {
  const { serve, codes, clock, audit, limits, mailer, mails, mailLimits } = options

  const presentEmail = async (userKey: number): Promise<OwnEmail> => {
    const { address, pending } = await codes.findEmail(userKey, clock())
    return {
      address,
      pending: pending && {
        address: pending.address,
        expiresAt: new Date(pending.expiresMs).toISOString(),
      },
      canSendMail: mailer.canSend,
    }
  }

  serve(app, getOwnEmail, async ({ user }) => ({
    status: 200,
    body: await presentEmail(user.userKey),
  }))

  serve(
    app,
    changeEmail,
    async ({ user, body: { address, password }, request }) => {
      const from = limits.isExempt(request) ? null : addressKey(request)
      if (address !== null) {
        if (!mailer.canSend) throw new DomainError('mail_off')
        limits.sendMail(request)
      }
      await confirmPassword(options, user, password, from)
      if (address !== null) mailLimits.countQuestion(user.userKey, address)
      await (address === null ? removeEmail(user) : askToConfirm(user, address))
      return { status: 200, body: await presentEmail(user.userKey) }

      async function removeEmail({ userKey, username }: typeof user) {
        const former = await codes.removeEmail(userKey)
        if (former === null) return
        await audit.note({
          actor: actorOf(user),
          action: 'email.removed',
          subject: userSubject(username),
        })
        mailer.post(async () => [mails.emailChanged({ username, address: former })])
      }

      async function askToConfirm({ userKey, username }: typeof user, email: string) {
        const code = makeCode()
        const expiresMs = clock() + emailCodeHours * hourMs
        await codes.insert(
          { codeHash: hashCode(code), userKey, purpose: 'email', email, expiresMs },
          emailCodesPerUser,
        )
        const mail = mails.confirmEmail({ username, address: email }, formatCode(code))
        if (!mailer.post(async () => [mail])) throw new DomainError('overloaded')
      }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, confirmEmail, async ({ body, request }) => {
    limits.useCode(request)
    const confirmed = await codes.confirmEmail(hashTypedCode(body.code, 'invalid_code'), clock())
    if (confirmed === undefined) throw new DomainError('invalid_code')
    const { username, address, former } = confirmed
    await audit.note({
      actor: userSubject(username),
      action: 'email.confirmed',
      subject: userSubject(username),
    })
    if (former !== null && former !== address) {
      mailer.post(async () => [mails.emailChanged({ username, address: former })])
    }
    return { status: 200, body: { username, address } }
  })
}
