import * as v from 'valibot'
import { defineRoute } from './route.ts'

export const User = v.object({
  username: v.string(),
  name: v.nullable(v.string()),
  /** Where the uploaded picture is; null where there is none. */
  avatar: v.nullable(v.string()),
  /** Of the avatar that is drawn, in degrees; null: the one that the username gives. */
  hue: v.nullable(v.number()),
  /** Whether everybody may know whose the user's public devices are: the name, or else the username. */
  isNamePublic: v.boolean(),
  /** Throwaway: it has no password, and is deleted with all it made when its time is up. */
  isDemo: v.boolean(),
  /** Whether the operators' screen and routes are there for the user. */
  isOperator: v.boolean(),
})
export type User = v.InferOutput<typeof User>

/** A readable cookie, set while there is a session: pages ask who is signed in only when it is there. */
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
