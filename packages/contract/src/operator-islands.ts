import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { AccessPolicy, IslandPause } from './islands.ts'
import { Limit, Text64 } from './operator.ts'
import { defineRoute } from './route.ts'

/** An island as operators see it. Times are ISO 8601 in UTC. */
export const OperatorIsland = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  access: AccessPolicy,
  isListed: v.boolean(),
  isOpen: v.boolean(),
  /** Null if it is not paused. */
  pause: v.nullable(IslandPause),
  /** The host's username; null if it belongs to the installation. */
  host: v.nullable(v.string()),
  address: v.nullable(v.string()),
  /** Whether visitors come through the relay. */
  isRelayed: v.boolean(),
  /** Whether they come to pages that this server hosts. */
  isHosted: v.boolean(),
  /**
   * Since when and why an operator stopped the relay for this island, not for its host; null if none did.
   */
  relayStopped: v.nullable(v.object({ at: v.string(), reason: v.string() })),
  memberCount: v.number(),
  createdAt: v.string(),
  /** Null for a draft. */
  publishedAt: v.nullable(v.string()),
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
})
export type OperatorIsland = v.InferOutput<typeof OperatorIsland>

export const islandKinds = ['drafts', 'listed', 'unlisted', 'hidden'] as const
export type IslandKind = (typeof islandKinds)[number]

export const listAllIslands = defineRoute({
  method: 'GET',
  path: '/api/operator/islands',
  summary: 'All islands, newest first, a page at a time',
  tag: 'Operators',
  access: 'operator',
  query: v.strictObject({
    /** Part of its slug or name, or of its host's username. */
    search: v.optional(Text64),
    /** The states that islands are counted by. Each island is in exactly one. */
    only: v.optional(v.picklist(islandKinds, `This is one of: ${islandKinds.join(', ')}.`)),
    /** The id of the last island on the previous page. */
    after: v.optional(Text64),
    limit: Limit,
  }),
  answers: { 200: v.object({ islands: v.array(OperatorIsland), hasMore: v.boolean() }) },
  errors: ['not_found', 'invalid_input'],
})

export const handOverIsland = defineRoute({
  method: 'POST',
  path: '/api/operator/islands/:id/hand-over',
  summary: 'Give an island to another host, or to the installation',
  tag: 'Operators',
  access: 'operator',
  params: IslandId,
  /** A username, or null for the installation. */
  body: v.strictObject({ host: v.nullable(v.pipe(v.string(), v.maxLength(64))) }),
  answers: { 200: OperatorIsland },
  errors: ['not_found', 'invalid_input', 'island_limit'],
})
