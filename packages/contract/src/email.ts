import * as v from 'valibot'
import { emailMaxLength } from './limits.ts'
import { OneTimeCode } from './one-time-code.ts'
import { pages } from './pages.ts'
import { defineRoute } from './route.ts'

/**
 * The HTML specification's rule for a valid address, plus a dot in the domain: ASCII without anything that
 * could end a header.
 */
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

const emailMessage = 'An e-mail address looks like ada@example.org.'
export const EmailAddress = v.pipe(
  v.string(emailMessage),
  v.trim(),
  v.maxLength(emailMaxLength, emailMessage),
  v.regex(emailPattern, emailMessage),
)

/** The page where a press of a button confirms an address. Opening it changes nothing. */
export function confirmEmailPath(code: string): string {
  return `${pages.confirmEmail}#${code}`
}

export const OwnEmail = v.object({
  /** The confirmed address. It gets mails about lost passwords, and warnings. */
  address: v.nullable(v.string()),
  /** An address that is not confirmed yet, and when the link that was sent to it expires. */
  pending: v.nullable(v.object({ address: v.string(), expiresAt: v.string() })),
  /** If the server sends no e-mail, an address can only be removed. */
  canSendMail: v.boolean(),
})
export type OwnEmail = v.InferOutput<typeof OwnEmail>

export const getOwnEmail = defineRoute({
  method: 'GET',
  path: '/api/me/email',
  summary: 'The account’s e-mail address',
  tag: 'Accounts',
  access: 'user',
  answers: { 200: OwnEmail },
  errors: ['signed_out'],
})

export const changeEmail = defineRoute({
  method: 'POST',
  path: '/api/me/email',
  summary: 'Mail a link that confirms a new address, or remove the address',
  tag: 'Accounts',
  access: 'user',
  body: v.strictObject({ address: v.nullable(EmailAddress), password: v.string() }),
  answers: { 200: OwnEmail },
  errors: [
    'signed_out',
    'demo_account',
    'invalid_input',
    'wrong_password',
    'mail_off',
    'rate_limited',
    'overloaded',
  ],
})

export const confirmEmail = defineRoute({
  method: 'POST',
  path: '/api/auth/confirm-email',
  summary: 'Confirm an e-mail address with the code that was sent to it',
  tag: 'Accounts',
  access: 'anyone',
  body: v.strictObject({ code: OneTimeCode }),
  answers: { 200: v.object({ username: v.string(), address: v.string() }) },
  errors: ['invalid_input', 'invalid_code', 'cross_site', 'rate_limited', 'overloaded'],
})
