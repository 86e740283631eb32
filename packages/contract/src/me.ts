import * as v from 'valibot'
import { defineRoute } from './route.ts'

export const User = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  /** The path of the uploaded picture; null if there is none. */
  avatar: v.nullable(v.string()),
  /** The hue of the drawn avatar, in degrees; null: derived from the username. */
  hue: v.nullable(v.number()),
  /**
   * Whether everybody may see who owns the user's public devices: the display name, or else the username.
   */
  isNamePublic: v.boolean(),
  /**
   * A throwaway account. It has no password, and is deleted with everything it made when its time is up.
   */
  isDemo: v.boolean(),
  /** Whether the user may use the operators' screen and routes. */
  isOperator: v.boolean(),
})
export type User = v.InferOutput<typeof User>

/** A readable cookie, set during a session. Pages ask who is signed in only if it is there. */
export const hintCookie = 'astropelago_signed_in'

export const UserAnswer = v.object({ user: User })

export const getMe = defineRoute({
  method: 'GET',
  path: '/api/me',
  summary: 'The signed-in user',
  tag: 'Accounts',
  access: 'user',
  answers: { 200: UserAnswer },
  errors: ['signed_out'],
})
