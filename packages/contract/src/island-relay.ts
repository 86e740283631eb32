import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

/** Why the last request to an island's service got no answer from it. */
export const ServiceFailure = v.picklist([
  /** Nothing listens there. */
  'refused',
  /** No answer in time. */
  'timeout',
  /** A partial answer, or one that can't be passed on. */
  'broken',
])
export type ServiceFailure = v.InferOutput<typeof ServiceFailure>

/** The condition of an island that the relay carries. Times are ISO 8601 in UTC. */
const RelayCondition = v.variant('state', [
  /** This server has no relay. */
  v.object({ state: v.literal('off') }),
  /** The operator has stopped it. */
  v.object({ state: v.literal('stopped') }),
  /** No agent is connected. Since when is null if none has been, as far as is known. */
  v.object({ state: v.literal('gone'), since: v.nullable(v.string()) }),
  /** An agent is connected, but its service does not answer properly. */
  v.object({
    state: v.literal('failing'),
    why: ServiceFailure,
    since: v.string(),
    /** Where the agent forwards visitors, such as `http://localhost:8080`; null if it does not say. */
    service: v.nullable(v.string()),
  }),
  v.object({ state: v.literal('carried') }),
])

/** The result of opening an island from outside: `opened`, or the first problem. */
export const OutsideResult = v.picklist([
  'opened',
  /** Its host name does not resolve. */
  'no-name',
  /** There is no valid certificate for it. */
  'certificate',
  /** The connection fails, at least from the server. */
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

/** What its host sees of an island that the relay carries. */
export const RelayedState = v.object({
  condition: RelayCondition,
  /** Requests by visitors, since the start of the day or of this server. */
  visits: v.object({ count: v.number(), since: v.string() }),
  /** The last check from outside at its current address. */
  outside: v.nullable(OutsideCheck),
})
export type RelayedState = v.InferOutput<typeof RelayedState>

/** The placeholder for an island's slug. */
const slugMark = '{slug}'

/** @param addresses as `getRelay` returns them */
export function addressOfSlug(addresses: string, slug: string): string {
  return addresses.replace(slugMark, slug)
}

export const getRelay = defineRoute({
  method: 'GET',
  path: '/api/relay',
  summary: 'Whether this server carries visitors to islands at home, and at which addresses',
  tag: 'Relay',
  access: 'user',
  answers: {
    200: v.object({
      /** With `{slug}` in place of an island's slug; null if this server has no relay. */
      addresses: v.nullable(v.pipe(v.string(), v.includes(slugMark))),
    }),
  },
  errors: ['signed_out'],
})

export const getRelayedState = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/relay',
  summary: 'The current condition of the user’s own island that the relay carries',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: RelayedState },
  errors: ['signed_out', 'not_found'],
})

export const checkFromOutside = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/relay/check',
  summary: 'Open the user’s own island at its public address, as a visitor would',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: OutsideCheck },
  errors: ['signed_out', 'not_found', 'relay_off', 'rate_limited', 'overloaded'],
})
