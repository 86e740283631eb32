import * as v from 'valibot'
import { emailMaxLength } from './limits.ts'
import { OneTimeCode } from './one-time-code.ts'
import { pages } from './pages.ts'
import { defineRoute } from './route.ts'

/** Any text of valid size. `brokenPasswordRule` and the list of common passwords check it. */
const NewPassword = v.string()

/**
 * The page that takes a code. The code is in the fragment, so servers, logs and other sites never see it.
 */
export function resetPasswordPath(code: string): string {
  return `${pages.resetPassword}#${code}`
}

export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/me/password',
  summary: 'Change the password; all other sessions and all API keys end',
  tag: 'Accounts',
  access: 'user',
  body: v.strictObject({ password: v.string(), newPassword: NewPassword }),
  answers: { 204: null },
  errors: [
    'signed_out',
    'demo_account',
    'invalid_input',
    'wrong_password',
    'weak_password',
    'common_password',
    'rate_limited',
    'overloaded',
  ],
})

/** The answer and its timing are the same whether or not there is such an account and address. */
export const requestPasswordReset = defineRoute({
  method: 'POST',
  path: '/api/auth/forgot-password',
  summary: 'Mail a link that sets a new password, if the account has a confirmed address',
  tag: 'Accounts',
  access: 'anyone',
  body: v.strictObject({
    /** A username or an e-mail address. */
    account: v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter a username or an e-mail address.'),
      v.maxLength(emailMaxLength, 'This is too long.'),
    ),
  }),
  answers: { 202: null },
  errors: ['invalid_input', 'mail_off', 'cross_site', 'rate_limited', 'overloaded'],
})

export const resetPassword = defineRoute({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary: 'Set a new password with a one-time code; all sessions and API keys of the account end',
  tag: 'Accounts',
  access: 'anyone',
  body: v.strictObject({ code: OneTimeCode, newPassword: NewPassword }),
  /** The account's username, to sign in with. */
  answers: { 200: v.object({ username: v.string() }) },
  errors: [
    'invalid_input',
    'invalid_code',
    'weak_password',
    'common_password',
    'cross_site',
    'rate_limited',
    'overloaded',
  ],
})

export const createResetCode = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/reset-code',
  summary: 'Make a one-time code with which a user sets a new password; only this answer shows it',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ username: v.string() }),
  answers: {
    201: v.object({
      username: v.string(),
      code: v.string(),
      link: v.string(),
      expiresAt: v.string(),
    }),
  },
  errors: ['not_found', 'demo_account'],
})
