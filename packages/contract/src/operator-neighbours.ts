import * as v from 'valibot'
import { DirectoryId, InstallationAddress, InstallationKey } from './neighbour-directory.ts'
import { Neighbour } from './neighbours.ts'
import { defineRoute } from './route.ts'

/**
 * - `following`: what it shares is shown here
 * - `held`: nothing of it is shown until an operator lets it go on; by an operator, or because of what it sent
 * - `blocked`: nothing is asked of it, and it may not follow
 */
export const NeighbourState = v.picklist(['following', 'held', 'blocked'])
export type NeighbourState = v.InferOutput<typeof NeighbourState>

/** A neighbour as operators see it. Times are ISO 8601 in UTC. */
export const OperatorNeighbour = v.object({
  ...Neighbour.entries,
  state: NeighbourState,
  /** Why it is held, or why nothing came for a while; null if all is well. */
  note: v.nullable(v.string()),
  /** Whether a connection to it stands. */
  isConnected: v.boolean(),
  /** When something last came from it; null if nothing ever did. */
  contactAt: v.nullable(v.string()),
  addedAt: v.string(),
  keyNumber: v.number(),
  /** A key that it has and that its last one did not sign; null if there is none. */
  unknownKey: v.nullable(v.string()),
  /** What of it is hidden here. */
  hidden: v.array(v.object({ kind: v.picklist(['device', 'island']), id: v.string() })),
})
export type OperatorNeighbour = v.InferOutput<typeof OperatorNeighbour>

/** An installation that follows this one. */
export const Follower = v.object({
  address: v.string(),
  /** Whether the address itself says that it has the follower’s key. */
  isVerified: v.boolean(),
  isConnected: v.boolean(),
  firstAt: v.string(),
  lastAt: v.string(),
})
export type Follower = v.InferOutput<typeof Follower>

/** What following an address would bring. */
export const NeighbourPreview = v.object({
  address: v.string(),
  name: v.string(),
  software: v.string(),
  key: v.string(),
  islandCount: v.number(),
  deviceCount: v.number(),
  /** The names of some islands and devices. */
  examples: v.array(v.string()),
})
export type NeighbourPreview = v.InferOutput<typeof NeighbourPreview>

const Id = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })
const Subject = v.strictObject({ kind: v.picklist(['device', 'island']), id: DirectoryId })

export const listOperatorNeighbours = defineRoute({
  method: 'GET',
  path: '/api/operator/neighbours',
  summary: 'Whom this installation follows, who follows it, and who it is',
  tag: 'Operators',
  access: 'operator',
  answers: {
    200: v.object({
      neighbours: v.array(OperatorNeighbour),
      followers: v.array(Follower),
      own: v.object({
        address: v.string(),
        key: v.string(),
        keyNumber: v.number(),
        islandCount: v.number(),
        deviceCount: v.number(),
      }),
    }),
  },
  errors: ['not_found'],
})

export const previewNeighbour = defineRoute({
  method: 'POST',
  path: '/api/operator/neighbours/preview',
  summary: 'Show what following an address would bring',
  tag: 'Operators',
  access: 'operator',
  body: v.strictObject({ address: v.pipe(v.string(), v.maxLength(255)) }),
  answers: { 200: NeighbourPreview },
  errors: ['not_found', 'invalid_input', 'invalid_neighbour', 'rate_limited'],
})

export const followNeighbour = defineRoute({
  method: 'POST',
  path: '/api/operator/neighbours',
  summary: 'Follow an installation',
  tag: 'Operators',
  access: 'operator',
  /** The address and key of its preview. */
  body: v.strictObject({ address: InstallationAddress, key: InstallationKey }),
  answers: { 201: OperatorNeighbour },
  errors: ['not_found', 'invalid_input', 'invalid_neighbour', 'neighbour_limit'],
})

export const changeNeighbour = defineRoute({
  method: 'PATCH',
  path: '/api/operator/neighbours/:id',
  summary: 'Hold, resume or block a neighbour, or accept its new key',
  tag: 'Operators',
  access: 'operator',
  params: Id,
  body: v.strictObject({
    state: v.exactOptional(NeighbourState),
    /** The `unknownKey` that the operator of the neighbour confirms. */
    key: v.exactOptional(InstallationKey),
  }),
  answers: { 200: OperatorNeighbour },
  errors: ['invalid_input', 'invalid_neighbour', 'not_found'],
})

export const forgetNeighbour = defineRoute({
  method: 'DELETE',
  path: '/api/operator/neighbours/:id',
  summary: 'Stop following a neighbour and delete all that came from it',
  tag: 'Operators',
  access: 'operator',
  params: Id,
  answers: { 204: null },
  errors: ['not_found'],
})

export const hideNeighbourSubject = defineRoute({
  method: 'PUT',
  path: '/api/operator/neighbours/:id/hidden',
  summary: 'Hide one island or device of a neighbour',
  tag: 'Operators',
  access: 'operator',
  params: Id,
  body: Subject,
  answers: { 204: null },
  errors: ['invalid_input', 'not_found'],
})

export const showNeighbourSubject = defineRoute({
  method: 'POST',
  path: '/api/operator/neighbours/:id/shown',
  summary: 'Show a hidden island or device of a neighbour again',
  tag: 'Operators',
  access: 'operator',
  params: Id,
  body: Subject,
  answers: { 204: null },
  errors: ['invalid_input', 'not_found'],
})

export const changeInstallationKey = defineRoute({
  method: 'POST',
  path: '/api/operator/installation-key',
  summary: 'Replace this installation’s key by a new one, which the old one signs',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: v.object({ key: v.string(), keyNumber: v.number() }) },
  errors: ['not_found'],
})
