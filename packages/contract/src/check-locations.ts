import * as v from 'valibot'
import { PublicDevice } from './devices.ts'
import { labelMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'

/** Where a web server answers that locations may look at an address. */
export const proofPath = '/.well-known/astropelago-check'
/** The name of the TXT record that answers the same, below the host's own. */
export const proofRecord = '_astropelago-check'

const regionMessage = `A region has 1 to ${labelMaxLength} characters, all of them visible.`
const tag = 'Checks'

/** One of the user's devices, whose agent may look at addresses for others. */
export const OwnLocation = v.object({
  /** The device. */
  device: v.string(),
  /** Whether the user agreed that owners of checked addresses see its IP address. */
  isLending: v.boolean(),
  /** When the user last agreed. */
  consentedAt: v.nullable(v.string()),
  /** What others see of where it is. */
  region: v.nullable(v.string()),
  /** How many looks an hour its agent lends; null if no agent that lends is connected. */
  perHour: v.nullable(v.number()),
  /** What it looked at in the last 24 hours, and how often. */
  checked: v.array(v.object({ place: v.string(), count: v.number() })),
})
export type OwnLocation = v.InferOutput<typeof OwnLocation>

/** That locations may look at what a check looks at. */
export const CheckProof = v.object({
  /** Host and port. */
  place: v.string(),
  /** What a line of the file, or the TXT record, has to be. */
  text: v.string(),
  /** When it was found last; null: never, or too long ago. */
  provenAt: v.nullable(v.string()),
  /** Until when locations may look. */
  endsAt: v.nullable(v.string()),
  askedAt: v.nullable(v.string()),
})
export type CheckProof = v.InferOutput<typeof CheckProof>

/** Who looked in the last 24 hours at what stands at a place. */
export const CheckArcs = v.object({
  /** The public device that carries the island that is looked at; null if there is none. */
  target: v.nullable(PublicDevice),
  /** The public devices that lend themselves for it. */
  locations: v.array(PublicDevice),
})
export type CheckArcs = v.InferOutput<typeof CheckArcs>

const DeviceParams = v.strictObject({ device: v.pipe(v.string(), v.maxLength(64)) })
const CheckParams = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })

export const listOwnLocations = defineRoute({
  method: 'GET',
  path: '/api/me/check-locations',
  summary: 'The user’s devices that look at addresses for others, or did',
  tag,
  access: 'user',
  answers: { 200: v.array(OwnLocation) },
  errors: ['signed_out'],
})

export const setOwnLocation = defineRoute({
  method: 'PUT',
  path: '/api/me/check-locations/:device',
  summary:
    'Let a device look at addresses for others, whose owners then see its IP address, or end that',
  tag,
  access: 'user',
  params: DeviceParams,
  body: v.strictObject({
    isLending: v.boolean(),
    region: v.optional(v.nullable(ShortText(labelMaxLength, regionMessage)), null),
  }),
  answers: { 204: null },
  errors: ['signed_out', 'demo_account', 'invalid_input', 'not_found', 'rate_limited'],
})

const proofErrors = ['signed_out', 'not_found', 'invalid_input'] as const

export const getCheckProof = defineRoute({
  method: 'GET',
  path: '/api/me/checks/:id/proof',
  summary: 'What the address of a check has to answer before others look at it',
  tag,
  access: 'user',
  params: CheckParams,
  answers: { 200: CheckProof },
  errors: [...proofErrors],
})

export const proveCheck = defineRoute({
  method: 'POST',
  path: '/api/me/checks/:id/proof',
  summary: 'Ask the address of a check for that now',
  tag,
  access: 'user',
  params: CheckParams,
  answers: { 200: CheckProof },
  errors: [...proofErrors, 'demo_account', 'rate_limited'],
})

/** A location that disagrees with all others about a check. */
const CheckDoubt = v.object({
  /** The user who lends it, and the device. */
  lender: v.string(),
  device: v.string(),
  /** The id of the check, and its owner. */
  check: v.string(),
  owner: v.string(),
  since: v.string(),
  /** Whether its vote still counts there. */
  hasVote: v.boolean(),
})

export const listCheckDoubts = defineRoute({
  method: 'GET',
  path: '/api/operator/check-doubts',
  summary: 'The locations that disagree with all others about a check, for the longest time first',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: v.array(CheckDoubt) },
  errors: ['not_found'],
})

export const getCheckArcs = defineRoute({
  method: 'GET',
  path: '/api/check-arcs/:of/:id',
  summary:
    'Which public devices look at a check, an island or an island on a device, as far as the caller may see its checks',
  tag,
  access: 'anyone',
  params: v.strictObject({
    of: v.picklist(['checks', 'islands', 'devices']),
    id: v.pipe(v.string(), v.maxLength(64)),
  }),
  answers: { 200: CheckArcs },
  errors: ['rate_limited'],
})
