import * as v from 'valibot'
import { defineRoute } from './route.ts'

export const Session = v.object({
  id: v.string(),
  /** Such as "Firefox on Linux"; null if the browser did not say. */
  device: v.nullable(v.string()),
  /** All that is stored of the address that it was started from. */
  addressFamily: v.nullable(v.picklist(['IPv4', 'IPv6'])),
  createdAt: v.string(),
  /** To the hour. */
  lastUsedAt: v.string(),
  /** Whether it is the session of this request. */
  isCurrent: v.boolean(),
})
export type Session = v.InferOutput<typeof Session>

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/me/sessions',
  summary: 'The browsers signed in to the account, last used first',
  tag: 'Sessions',
  access: 'user',
  answers: { 200: v.array(Session) },
  errors: ['signed_out'],
})

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/me/sessions/:id',
  summary: 'End one of the user’s own sessions; ending the current one signs out',
  tag: 'Sessions',
  access: 'user',
  params: v.strictObject({ id: v.string() }),
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
})

export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/me/sessions',
  summary: 'End all sessions except the current one',
  tag: 'Sessions',
  access: 'user',
  answers: { 200: v.object({ ended: v.number() }) },
  errors: ['signed_out'],
})
