import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { defineRoute } from './route.ts'

/** An island's port for games and other programs, as seen by somebody who may enter the island. */
export const IslandPort = v.object({
  /** A host name and a port, such as `bar.islands.example:25001`; null if it has none. */
  address: v.nullable(v.string()),
  /**
   * The viewer's network, which this call admits, so the island's page has to make it. Null if everybody is
   * admitted, or if there is no port.
   */
  letIn: v.nullable(
    v.object({
      /** An IPv4 address, or the /64 of an IPv6 address. */
      network: v.string(),
      /** ISO 8601 in UTC. */
      until: v.string(),
    }),
  ),
  /** For its host only. */
  own: v.nullable(
    v.object({
      /** Whether the island can have one: this server offers ports, and the relay carries the island. */
      isOffered: v.boolean(),
      /** Whether the server listens on it. Another program on the machine may have taken it. */
      isListening: v.boolean(),
    }),
  ),
})
export type IslandPort = v.InferOutput<typeof IslandPort>

export const getIslandPort = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/port',
  summary:
    'An island’s port for games and other programs, for everybody who may enter; admits their network for 12 hours',
  tag: 'Relay',
  access: 'anyone',
  params: IslandId,
  answers: { 200: IslandPort },
  errors: ['not_found', 'rate_limited'],
})

export const takeIslandPort = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/port',
  summary: 'Give the user’s own island a port for games and other programs, or keep the one it has',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 200: IslandPort },
  errors: ['signed_out', 'not_found', 'not_relayed', 'ports_off', 'no_free_port', 'rate_limited'],
})

export const giveBackIslandPort = defineRoute({
  method: 'DELETE',
  path: '/api/islands/:id/port',
  summary: 'Give back the port of the user’s own island, if it has one',
  tag: 'Relay',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'rate_limited'],
})
