import * as v from 'valibot'
import { nameMaxLength, passwordMaxLength, passwordMinLength, usernamePattern } from './limits.ts'
import { defineRoute } from './route.ts'
import { codePointLength, normalizeShortText } from './text.ts'

export const User = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  avatar: v.nullable(v.string()),
  /** Whether everybody may know whose the user's public devices are: the name, or else the username. */
  isNamePublic: v.boolean(),
  /** Whether the operators' screen and routes are there for the user. */
  isOperator: v.boolean(),
})
export type User = v.InferOutput<typeof User>

/** A readable cookie, set while there is a session: pages ask who is signed in only when it is there. */
export const hintCookie = 'astropelago_signed_in'

const UserAnswer = v.object({ user: User })

/** Any two texts that fit a body: which rule a pair breaks is told by `brokenCredentialRule`. */
export const Credentials = v.strictObject({ username: v.string(), password: v.string() })
export type Credentials = v.InferOutput<typeof Credentials>

export type CredentialRule = 'required' | 'username' | 'password-short' | 'password-long'

/**
 * The first rule that a new or entered pair breaks, in the order in which the rules are checked.
 * The username is judged trimmed, the password as it is.
 */
export function brokenCredentialRule({
  username,
  password,
}: Credentials): CredentialRule | undefined {
  const trimmed = username.trim()
  if (trimmed === '' || password === '') return 'required'
  if (!usernamePattern.test(trimmed)) return 'username'
  const length = codePointLength(password)
  if (length < passwordMinLength) return 'password-short'
  if (length > passwordMaxLength) return 'password-long'
  return undefined
}

/** 1 to 64 characters, or null (also for a blank text) to go without a display name. */
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

/** Only what is named changes. */
const UserChanges = v.pipe(
  v.strictObject({
    name: v.exactOptional(DisplayName),
    isNamePublic: v.exactOptional(v.boolean('isNamePublic is true or false.')),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type UserChanges = v.InferOutput<typeof UserChanges>

export const getMe = defineRoute({
  method: 'GET',
  path: '/api/me',
  summary: 'The signed-in user',
  tag: 'Accounts',
  access: 'user',
  answers: { 200: UserAnswer },
  errors: ['signed_out'],
})

export const updateMe = defineRoute({
  method: 'PATCH',
  path: '/api/me',
  summary: 'Change the display name, or who may know it',
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
  errors: ['invalid_input', 'invalid_credentials', 'cross_site', 'rate_limited', 'overloaded'],
})

export const register = defineRoute({
  method: 'POST',
  path: '/api/auth/register',
  summary: 'Make an account and sign in',
  tag: 'Accounts',
  access: 'anyone',
  body: Credentials,
  answers: { 201: UserAnswer },
  errors: [
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
  summary: 'End the session; a page navigation is sent to /',
  tag: 'Accounts',
  access: 'anyone',
  answers: { 204: null, 303: null },
  errors: ['cross_site'],
})
