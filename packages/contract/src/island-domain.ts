import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { domainMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'

/** Its TXT record proves a domain. */
export const proofLabel = '_astropelago'

/** What a check found at one of the domain's records. */
export const SeenRecord = v.picklist([
  /** It says what it should. */
  'found',
  /** There is no such record. */
  'missing',
  /** It says something else. */
  'other',
  /** The domain's name servers did not answer, or could not be asked. */
  'unanswered',
])
export type SeenRecord = v.InferOutput<typeof SeenRecord>

const DomainState = v.variant('state', [
  v.object({ state: v.literal('unproven') }),
  v.object({ state: v.literal('proven'), since: v.string() }),
  v.object({
    state: v.literal('lost'),
    since: v.string(),
    why: v.picklist([
      /** The record was gone. */
      'missing',
      /** The domain's name servers gave no answer for three days. */
      'unanswered',
      /** Another island proved the domain. */
      'taken',
    ]),
  }),
])

/** A domain of an island's own. Times are ISO 8601 in UTC. */
export const IslandDomain = v.object({
  /** In lower case, and in punycode if it has other letters than a to z. */
  name: v.string(),
  /** Where visitors enter once it is proven. */
  address: v.string(),
  /** Whether the name may appear in public logs of certificates. Without that, no proxy gets it one. */
  isInLogs: v.boolean(),
  status: DomainState,
  /** The records that the domain needs. */
  records: v.object({
    proof: v.object({ name: v.string(), value: v.string() }),
    /** What a CNAME record of the domain points to; the addresses are for domains that can have none. */
    target: v.object({ name: v.string(), addresses: v.array(v.string()) }),
  }),
  /** What the last check found, as far as the server remembers. */
  seen: v.nullable(
    v.object({
      at: v.string(),
      proof: SeenRecord,
      target: SeenRecord,
      values: v.array(v.string()),
    }),
  ),
})
export type IslandDomain = v.InferOutput<typeof IslandDomain>

/** Null if the island has none. */
const answer = v.object({ domain: v.nullable(IslandDomain) })

export const getIslandDomain = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/domain',
  summary: 'The domain of the user’s own island that the relay carries',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: answer },
  errors: ['signed_out', 'not_found'],
})

export const claimIslandDomain = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/domain',
  summary: 'Name a domain for the user’s own island; it counts once its TXT record proves it',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  body: v.strictObject({
    name: v.pipe(v.string(), v.maxLength(domainMaxLength, 'This name is too long.')),
    isInLogs: v.boolean(),
  }),
  answers: { 200: answer },
  errors: [
    'signed_out',
    'demo_account',
    'not_found',
    'invalid_domain',
    'relay_off',
    'rate_limited',
  ],
  invalid: 'invalid_domain',
})

export const checkIslandDomain = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/domain/check',
  summary: 'Look up the records of the domain now, and prove it by them',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: answer },
  errors: ['signed_out', 'not_found', 'relay_off', 'rate_limited', 'overloaded'],
})

export const removeIslandDomain = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/domain',
  summary: 'Remove the domain of the user’s own island, if it has one',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'rate_limited'],
})
