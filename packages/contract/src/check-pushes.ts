import * as v from 'valibot'
import { defineRoute } from './route.ts'

const tag = 'Checks'
const errors = ['rate_limited', 'too_large', 'overloaded'] as const
const access = 'anyone'

/** The secret is part of the path, as in the addresses that people’s scripts have already. */
const secret = v.string()

const ping = {
  tag,
  access,
  path: '/ping/:secret',
  params: v.strictObject({ secret }),
  answerType: 'text/plain',
  answers: { 200: v.string() },
  errors,
} as const

export const pingCheck = defineRoute({
  ...ping,
  method: 'GET',
  summary: 'Report to a check that all is well, as to Healthchecks: by GET, HEAD or POST',
})

export const postPing = defineRoute({
  ...ping,
  method: 'POST',
  summary:
    'Report to a check that all is well, as to Healthchecks; the beginning of any body is its note',
})

const pingEvent = {
  ...ping,
  path: '/ping/:secret/:event',
  params: v.strictObject({
    secret,
    /** `start`, `fail`, `log` or an exit code from 0 to 255. */
    event: v.string(),
  }),
} as const

export const pingCheckEvent = defineRoute({
  ...pingEvent,
  method: 'GET',
  summary: 'Report a start, a failure, a text or an exit code to a check, as to Healthchecks',
})

export const postPingEvent = defineRoute({
  ...pingEvent,
  method: 'POST',
  summary:
    'Report a start, a failure, a text or an exit code to a check, as to Healthchecks; the beginning of any body is its note',
})

const push = {
  tag,
  access,
  path: '/api/push/:secret',
  params: v.strictObject({ secret }),
  query: v.object({
    /** Anything but `up` is a failure. */
    status: v.optional(v.string()),
    msg: v.optional(v.string()),
    /** How long it took, in milliseconds. */
    ping: v.optional(v.string()),
  }),
  answers: { 200: v.object({ ok: v.literal(true) }) },
  errors: [...errors, 'invalid_input'],
} as const

export const pushToCheck = defineRoute({
  ...push,
  method: 'GET',
  summary: 'Report to a check, as to Uptime Kuma',
})

export const postPush = defineRoute({
  ...push,
  method: 'POST',
  summary: 'Report to a check by POST, as to Uptime Kuma',
})
