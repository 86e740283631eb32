import * as v from 'valibot'
import { avatarMaxBytes } from './limits.ts'
import { UserAnswer } from './me.ts'
import { OperatorUser, Username } from './operator.ts'
import { defineRoute } from './route.ts'

export const readAvatar = defineRoute({
  method: 'GET',
  path: '/api/avatars/:name',
  summary: 'A user’s picture; each new picture has a new address',
  tag: 'Accounts',
  access: 'anyone',
  params: v.strictObject({ name: v.pipe(v.string(), v.maxLength(64)) }),
  answerType: 'image/webp',
  answers: { 200: v.string() },
  errors: ['not_found'],
})

/** The path of a picture; null if the user has none. */
export function avatarPath(name: string | null): string | null {
  return name === null ? null : readAvatar.path.replace(':name', name)
}

/** The types that file dialogs offer. The server checks only the bytes. */
export const avatarTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

export const setAvatar = defineRoute({
  method: 'POST',
  path: '/api/me/avatar',
  summary: `Upload the user’s picture: a PNG, JPEG or WebP of at most ${avatarMaxBytes} bytes`,
  tag: 'Accounts',
  access: 'user',
  body: v.instance(Uint8Array),
  bodyType: 'application/octet-stream',
  tooLarge: 'avatar_too_large',
  answers: { 200: UserAnswer },
  errors: ['signed_out', 'demo_account', 'avatar_type', 'avatar_broken', 'avatar_pixels'],
})

export const removeAvatar = defineRoute({
  method: 'DELETE',
  path: '/api/me/avatar',
  summary: 'Remove the user’s own picture',
  tag: 'Accounts',
  access: 'user',
  answers: { 200: UserAnswer },
  errors: ['signed_out'],
})

export const removeUserAvatar = defineRoute({
  method: 'DELETE',
  path: '/api/operator/users/:username/avatar',
  summary: 'Remove a user’s picture; the user can upload another one',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})
