import { changeEmail, confirmEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { emailCodeHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { isoTime } from '../../iso-time.ts'
import { hashCode, hashTypedCode, makeCode } from '../../one-time-code.ts'
import type { AccountsParts } from './accounts-parts.ts'
import { confirmPassword } from './sign-in.ts'

const hourMs = 3_600_000
/** Only the newest code is valid: one address at a time waits for confirmation. */
const emailCodesPerUser = 1

export async function emailRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, codes, clock, limits, mailer, mails, mailLimits } = parts

  const presentEmail = async (userKey: number): Promise<OwnEmail> => {
    const { address, pending } = await codes.findEmail(userKey, clock())
    return {
      address,
      pending: pending && { address: pending.address, expiresAt: isoTime(pending.expiresMs) },
      canSendMail: mailer.canSend,
    }
  }

  const recordChange = async (action: string, username: string, former: string | null) => {
    const subject = userSubject(username)
    await parts.audit.note({ actor: subject, action, subject })
    if (former === null) return
    mailer.post(async () => [mails.emailChanged({ username, address: former })])
  }

  const askToConfirm = async ({ userKey, username }: UserCaller, email: string) => {
    const code = makeCode()
    const expiresMs = clock() + emailCodeHours * hourMs
    await codes.insert(
      { codeHash: hashCode(code), userKey, purpose: 'email', email, expiresMs },
      emailCodesPerUser,
    )
    const mail = mails.confirmEmail({ username, address: email }, formatCode(code))
    if (!mailer.post(async () => [mail])) throw new DomainError('overloaded')
  }

  serve(app, getOwnEmail, async ({ user }) => ({
    status: 200,
    body: await presentEmail(user.userKey),
  }))

  serve(
    app,
    changeEmail,
    async ({ user, body: { address, password }, request }) => {
      if (address !== null) {
        if (!mailer.canSend) throw new DomainError('mail_off')
        limits.sendMail(request)
      }
      await confirmPassword(parts, user, password, parts.limitedAddress(request))
      if (address === null) {
        const former = await codes.removeEmail(user.userKey)
        if (former !== null) await recordChange('email.removed', user.username, former)
      } else {
        mailLimits.countQuestion(user.userKey, address)
        await askToConfirm(user, address)
      }
      return { status: 200, body: await presentEmail(user.userKey) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, confirmEmail, async ({ body, request }) => {
    limits.useCode(request)
    const confirmed = await codes.confirmEmail(hashTypedCode(body.code, 'invalid_code'), clock())
    if (confirmed === undefined) throw new DomainError('invalid_code')
    const { username, address, former } = confirmed
    await recordChange('email.confirmed', username, former === address ? null : former)
    return { status: 200, body: { username, address } }
  })
}
