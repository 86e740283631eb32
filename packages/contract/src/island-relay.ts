import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

/** Why the last request to what an island serves got no answer of it. */
export const ServiceFailure = v.picklist([
  /** Nobody listens there. */
  'refused',
  /** No answer in time. */
  'timeout',
  /** Half an answer, or none that can be passed on. */
  'broken',
])
export type ServiceFailure = v.InferOutput<typeof ServiceFailure>

/** How an island stands that the relay carries. Times are ISO 8601 in UTC. */
const RelayCondition = v.variant('state', [
  /** This server has no relay. */
  v.object({ state: v.literal('off') }),
  /** Whoever runs this server has stopped it. */
  v.object({ state: v.literal('stopped') }),
  /** No agent is connected; since when is null where none has been, as far as is known. */
  v.object({ state: v.literal('gone'), since: v.nullable(v.string()) }),
  /** An agent is there, and what it serves does not answer as it should. */
  v.object({
    state: v.literal('failing'),
    why: ServiceFailure,
    since: v.string(),
    /** Where the agent passes visitors on to, such as `http://localhost:8080`; null where it does not say. */
    service: v.nullable(v.string()),
  }),
  v.object({ state: v.literal('carried') }),
])

/** What came of opening an island from outside: `opened`, or the first thing that was in the way. */
export const OutsideResult = v.picklist([
  'opened',
  /** Its host name leads nowhere. */
  'no-name',
  /** There is no certificate for it, or none that holds. */
  'certificate',
  /** Nobody takes the connection, or not from where the server is. */
  'unreachable',
  /** No answer within 10 s. */
  'no-answer',
  /** Something else answers at its address. */
  'another-server',
  'no-agent',
  ...ServiceFailure.options,
])
export type OutsideResult = v.InferOutput<typeof OutsideResult>

const OutsideCheck = v.object({ result: OutsideResult, at: v.string() })
export type OutsideCheck = v.InferOutput<typeof OutsideCheck>

/** What its host is told of an island that the relay carries. */
export const RelayedState = v.object({
  condition: RelayCondition,
  /** What visitors asked of it, since the beginning of the day or of this server. */
  visits: v.object({ count: v.number(), since: v.string() }),
  /** When it was last opened from outside, at the address that it has now. */
  outside: v.nullable(OutsideCheck),
})
export type RelayedState = v.InferOutput<typeof RelayedState>

/** Stands for an island's slug. */
const slugMark = '{slug}'

/** @param addresses as `getRelay` answers */
export function addressOfSlug(addresses: string, slug: string): string {
  return addresses.replace(slugMark, slug)
}

export const getRelay = defineRoute({
  method: 'GET',
  path: '/api/relay',
  summary: 'Whether this server carries visitors to islands at home, and by which addresses',
  tag: 'Relay',
  access: 'user',
  answers: {
    200: v.object({
      /** With `{slug}` in the place of an island's slug; null where this server has no relay. */
      addresses: v.nullable(v.pipe(v.string(), v.includes(slugMark))),
    }),
  },
  errors: ['signed_out'],
})

export const getRelayedState = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/relay',
  summary: 'How an island of one’s own stands that the relay carries, as of now',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: RelayedState },
  errors: ['signed_out', 'not_found'],
})

export const checkFromOutside = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/relay/check',
  summary: 'Open an island of one’s own by its public address, as a visitor would',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: OutsideCheck },
  errors: ['signed_out', 'not_found', 'relay_off', 'rate_limited', 'overloaded'],
})
