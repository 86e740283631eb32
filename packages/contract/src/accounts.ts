import * as v from 'valibot'
import { nameMaxLength, passwordMaxLength, passwordMinLength, usernamePattern } from './limits.ts'
import { UserAnswer } from './me.ts'
import { OneTimeCode } from './one-time-code.ts'
import { defineRoute } from './route.ts'
import { codePointLength, normalizeShortText } from './text.ts'

/** Any two texts of valid size. `brokenCredentialRule` says which rule a pair breaks. */
export const Credentials = v.strictObject({ username: v.string(), password: v.string() })
export type Credentials = v.InferOutput<typeof Credentials>

/** The invite matters only if registration requires one. */
const NewAccount = v.strictObject({
  ...Credentials.entries,
  invite: v.exactOptional(OneTimeCode),
})
export type NewAccount = v.InferOutput<typeof NewAccount>

export type PasswordRule = 'password-short' | 'password-long'
export type CredentialRule = 'required' | 'username' | PasswordRule

/**
 * The first rule that a new or entered pair breaks, in the order in which the rules are checked. The
 * username is checked trimmed, the password as it is.
 */
export function brokenCredentialRule({
  username,
  password,
}: Credentials): CredentialRule | undefined {
  const trimmed = username.trim()
  if (trimmed === '' || password === '') return 'required'
  if (!usernamePattern.test(trimmed)) return 'username'
  return brokenPasswordRule(password)
}

/** The rule that a new password breaks by itself. Only the server knows which ones are too common. */
export function brokenPasswordRule(password: string): PasswordRule | undefined {
  const length = codePointLength(password)
  if (length < passwordMinLength) return 'password-short'
  if (length > passwordMaxLength) return 'password-long'
  return undefined
}

/** 1 to 64 characters; null or a blank text means no display name. */
const DisplayName = v.nullable(
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const name = normalizeShortText(dataset.value)
      if (name === undefined || codePointLength(name) > nameMaxLength) {
        addIssue({
          message: `A name has at most ${nameMaxLength} characters, all of them visible.`,
        })
        return NEVER
      }
      return name === '' ? null : name
    }),
  ),
)

const hueMessage = 'A hue is a whole number from 0 to 359.'
const Hue = v.nullable(
  v.pipe(
    v.number(hueMessage),
    v.integer(hueMessage),
    v.minValue(0, hueMessage),
    v.maxValue(359, hueMessage),
  ),
)

/** Absent fields stay as they are. */
const UserChanges = v.pipe(
  v.strictObject({
    name: v.exactOptional(DisplayName),
    hue: v.exactOptional(Hue),
    isNamePublic: v.exactOptional(v.boolean('isNamePublic is true or false.')),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type UserChanges = v.InferOutput<typeof UserChanges>

export const updateMe = defineRoute({
  method: 'PATCH',
  path: '/api/me',
  summary: 'Change the display name, who may see it, or the avatar’s hue',
  tag: 'Accounts',
  access: 'user',
  body: UserChanges,
  answers: { 200: UserAnswer },
  errors: ['signed_out', 'invalid_input'],
})

export const passwordLogin = defineRoute({
  method: 'POST',
  path: '/api/auth/password-login',
  summary: 'Sign in with username and password',
  tag: 'Accounts',
  access: 'anyone',
  body: Credentials,
  answers: { 200: UserAnswer },
  errors: [
    'invalid_input',
    'invalid_credentials',
    'account_disabled',
    'cross_site',
    'rate_limited',
    'overloaded',
  ],
})

/** Who may register: everybody, people with an invite, or nobody. */
export const Registration = v.picklist(['open', 'invite', 'closed'])
export type Registration = v.InferOutput<typeof Registration>

export const getSignInOptions = defineRoute({
  method: 'GET',
  path: '/api/auth/options',
  summary: 'Who may register, and what else the sign-in dialog can offer',
  tag: 'Accounts',
  access: 'anyone',
  answers: {
    200: v.object({
      registration: Registration,
      isDemoOn: v.boolean(),
      /** Whether a lost password can be reset by e-mail. If not, it takes a code from the operator. */
      canSendMail: v.boolean(),
    }),
  },
  errors: ['rate_limited'],
})

export const register = defineRoute({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Make an account and sign in',
  tag: 'Accounts',
  access: 'anyone',
  body: NewAccount,
  answers: { 201: UserAnswer },
  errors: [
    'registration_closed',
    'invite_required',
    'invalid_invite',
    'invalid_input',
    'invalid_username',
    'weak_password',
    'common_password',
    'username_taken',
    'server_full',
    'cross_site',
    'rate_limited',
    'overloaded',
  ],
})

export const demoLogin = defineRoute({
  method: 'POST',
  path: '/api/auth/demo',
  summary: 'Sign in as a new throwaway user, deleted after 24 hours',
  tag: 'Accounts',
  access: 'anyone',
  answers: { 200: UserAnswer },
  errors: ['demo_off', 'server_full', 'cross_site', 'rate_limited'],
})

export const logout = defineRoute({
  method: 'GET',
  path: '/api/auth/logout',
  summary: 'End the session; a page navigation is redirected to /',
  tag: 'Accounts',
  access: 'anyone',
  answers: { 204: null, 303: null },
  errors: ['cross_site'],
})
