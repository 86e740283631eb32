import {
  changePassword,
  createResetCode,
  requestPasswordReset,
  resetPassword,
  resetPasswordPath,
} from '@astropelago/contract/passwords'
import { resetCodeHours, resetMailHours } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { audited, serverActor, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import { isoTime } from '../../iso-time.ts'
import type { Mail } from '../../mail/mailer.ts'
import { hashCode, hashTypedCode, makeCode } from '../../one-time-code.ts'
import { logEvent, type AccountsParts } from './accounts-parts.ts'
import { checkNewPassword } from './common-passwords.ts'
import { confirmPassword } from './sign-in.ts'
import type { EmailOwner } from './one-time-codes-store.ts'
import { sessionOrigin, startSession } from './start-session.ts'

/** Sent when the mail queue is full. */
const mailRetryAfterS = 60
const hourMs = 3_600_000
/** More than one, so a repeated request does not invalidate the code of an earlier mail. */
const passwordCodesPerUser = 3
const accountsPerAddress = 5

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

  serve(app, resetPassword, async ({ body: { code, newPassword }, request }) => {
    limits.useCode(request)
    const codeHash = hashTypedCode(code, 'invalid_code')
    const found = await codes.findPasswordCode(codeHash, clock())
    if (found === undefined) throw new DomainError('invalid_code')
    const { userKey, username } = found
    // A refused password does not use up the code.
    checkNewPassword(parts.commonPasswords, newPassword, username)
    const passwordHash = await parts.passwordHasher.hash(newPassword)
    const subject = userSubject(username)
    await audited(parts.audit, { actor: subject, action: 'password.reset', subject }, async () => {
      const user = await store.resetPassword(codeHash, clock(), passwordHash)
      // Another request used the code while this password was hashed.
      if (user === undefined) throw new DomainError('invalid_code')
    })
    logEvent(request, 'password_reset', userKey)
    warn(userKey, username)
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
          expiresAt: isoTime(expiresMs),
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

/** Issues a one-time code for setting a new password. It is not stored and can't be read again. */
export async function issuePasswordCode(
  { codes, clock }: Pick<AccountsParts, 'codes' | 'clock'>,
  userKey: number,
  hours = resetCodeHours,
) {
  const code = makeCode()
  const expiresMs = clock() + hours * hourMs
  await codes.insert(
    { codeHash: hashCode(code), userKey, purpose: 'password', email: null, expiresMs },
    passwordCodesPerUser,
  )
  return { code: formatCode(code), expiresMs }
}

/** @param account a username or an e-mail address, as typed */
async function writePasswordCodes(parts: AccountsParts, account: string): Promise<readonly Mail[]> {
  const written: Mail[] = []
  for (const owner of await findOwners(parts, account)) {
    if (!parts.mailLimits.mayWriteTo(owner.address)) continue
    const { code } = await issuePasswordCode(parts, owner.userKey, resetMailHours)
    await parts.audit.note({
      actor: serverActor,
      action: 'reset_code.mailed',
      subject: userSubject(owner.username),
    })
    written.push(parts.mails.resetPassword(owner, code))
  }
  return written
}

async function findOwners(
  { store, codes, clock }: AccountsParts,
  account: string,
): Promise<readonly EmailOwner[]> {
  // Usernames can't contain @.
  if (account.includes('@')) return await codes.findEmailOwners(account, accountsPerAddress)
  const user = await store.findUser(account)
  if (user === undefined) return []
  const { address } = await codes.findEmail(user.key, clock())
  return address === null ? [] : [{ userKey: user.key, username: user.username, address }]
}
