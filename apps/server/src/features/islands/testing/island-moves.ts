import { createInvitation } from '@astropelago/contract/island-members'
import { OwnIsland, type AccessPolicy } from '@astropelago/contract/islands'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { TestBrowser } from '../../../test/create-test-app.ts'
import { isSecret } from '../slugs.ts'
import { nobody, type IslandModel, type ModelIsland } from './island-model.ts'

/** Numbered users, the islands that they host, and the operator. */
export interface IslandWorld {
  readonly model: IslandModel
  readonly users: readonly TestBrowser[]
  readonly operator: TestBrowser
}

interface Choices {
  readonly island: ModelIsland
  /** May be the same island. */
  readonly other: ModelIsland
  readonly user: number
  readonly access: AccessPolicy
  readonly isListed: boolean
}

interface Move {
  readonly by: TestBrowser | undefined
  readonly request: InjectOptions
  readonly isAllowed: boolean
  /** Updates the model once the move is made. */
  readonly note: (answer: unknown) => void
}

/** The first users are never disabled or deleted. Only the hosts after them are. */
const userCount = 3
const islandCount = 4

/** What users, hosts and operators can do, by name. */
const moves = {
  publish: (world, { island, access, isListed }) =>
    byHost(world, island, {
      path: 'publish',
      payload: { access, isListed },
      note: (answer) => {
        Object.assign(island, { access, isListed, isPublished: true })
        noteSlug(island, answer)
      },
    }),
  rename: (world, { island }) =>
    byHost(world, island, {
      path: 'slug',
      payload: { slug: `${island.mark}x` },
      note: (answer) => noteSlug(island, answer),
    }),
  'name a neighbour': (world, { island, other }) => ({
    ...byHost(world, island, { path: '', payload: {}, note: () => undefined }),
    request: {
      method: 'PATCH',
      url: `/api/islands/${island.id}`,
      payload: { neighbours: [other.slug] },
    },
    isAllowed: isHosted(world, island) && island !== other && world.model.knows(island.host, other),
  }),
  signal: (world, { island }) =>
    byHost(world, island, {
      path: 'signals',
      payload: { text: island.innerMark },
      note: () => island.writers.add(island.host),
    }),
  pause: (world, { island }) =>
    byHost(world, island, {
      path: 'pause',
      payload: { text: island.mark },
      note: () => (island.isPaused = true),
    }),
  continue: (world, { island }) =>
    byHost(world, island, {
      path: 'continue',
      payload: {},
      note: () => (island.isPaused = false),
    }),
  close: (world, { island }) =>
    byHost(world, island, {
      path: 'close',
      payload: { slug: island.slug },
      note: () => (island.isClosed = true),
    }),
  revoke: (world, { island }) => ({
    ...byHost(world, island, { path: '', payload: {}, note: () => (island.isRevoked = true) }),
    request: { method: 'DELETE', url: `/api/islands/invitations/${island.invitation.id}` },
    isAllowed: isHosted(world, island) && !island.isRevoked,
  }),
  invite: (world, { island }) =>
    byHost(world, island, {
      path: 'invitations',
      payload: { uses: 200 },
      note: (answer) => {
        island.invitation = v.parse(createInvitation.answers[201], answer)
        island.isRevoked = false
      },
    }),
  join: ({ model, users }, { island, user }) => {
    const isMember = model.hasJoined(user, island)
    const isGuest = model.knows(user, island) && !island.blocked.has(user)
    return {
      by: users[user],
      request: { method: 'POST', url: `/api/islands/${island.id}/join`, payload: {} },
      isAllowed: isGuest || (user === island.host && !island.isClosed),
      note: () => {
        if (isMember || user === island.host) return
        if (island.access === 'invited') island.askers.add(user)
        else letIn(island, user)
      },
    }
  },
  leave: ({ model, users }, { island, user }) => ({
    by: users[user],
    request: { method: 'POST', url: `/api/islands/${island.id}/leave` },
    isAllowed: model.knows(user, island) && (island.members.has(user) || island.askers.has(user)),
    note: () => {
      island.members.delete(user)
      island.askers.delete(user)
    },
  }),
  accept: ({ model, users }, { island, user }) => ({
    by: users[user],
    request: {
      method: 'POST',
      url: '/api/invitations/accept',
      payload: { code: island.invitation.code },
    },
    isAllowed: model.isInvited(user, island),
    note: () => {
      if (user !== island.host) letIn(island, user)
    },
  }),
  'let in': (world, { island, user }) => ({
    ...about(world, { island, user, path: 'requests', payload: { isLetIn: true } }),
    isAllowed: isHosted(world, island) && island.askers.has(user),
    note: () => letIn(island, user),
  }),
  'turn away': (world, { island, user }) => ({
    ...about(world, { island, user, path: 'requests', payload: { isLetIn: false } }),
    isAllowed: isHosted(world, island) && island.askers.has(user),
    note: () => island.askers.delete(user),
  }),
  remove: (world, { island, user }) => ({
    ...about(world, { island, user, path: 'members' }),
    isAllowed: isHosted(world, island) && island.members.has(user),
    note: () => island.members.delete(user),
  }),
  block: (world, { island, user }) => ({
    ...about(world, { island, user, path: 'blocks', payload: {} }),
    isAllowed: isHosted(world, island) && user !== island.host,
    note: () => {
      island.blocked.add(user)
      island.members.delete(user)
      island.askers.delete(user)
    },
  }),
  unblock: (world, { island, user }) => ({
    ...about(world, { island, user, path: 'blocks' }),
    isAllowed: isHosted(world, island) && island.blocked.has(user),
    note: () => island.blocked.delete(user),
  }),
  hide: ({ operator }, { island }) => ({
    by: operator,
    request: {
      method: 'POST',
      url: `/api/operator/hidden/island/${island.id}`,
      payload: { reason: 'Spam' },
    },
    isAllowed: !island.isClosed,
    note: () => {
      island.isHidden = true
      // Hiding settles the reports.
      island.reporters.clear()
    },
  }),
  show: ({ operator }, { island }) => ({
    by: operator,
    request: { method: 'DELETE', url: `/api/operator/hidden/island/${island.id}` },
    isAllowed: !island.isClosed,
    note: () => (island.isHidden = false),
  }),
  'hand over': (world, { island, user }) => handOver(world, island, user),
  'give to the installation': (world, { island }) => handOver(world, island, nobody),
  'turn off': (world, { island: { host } }) => ({
    ...aboutAccount(world, host, { method: 'POST', path: '/disable' }),
    note: () => {
      world.model.turnedOff.add(host)
      world.model.signedOut.add(host)
    },
  }),
  'turn on': (world, { island: { host } }) => ({
    ...aboutAccount(world, host, { method: 'POST', path: '/enable' }),
    note: () => {
      world.model.turnedOff.delete(host)
      world.model.signedOut.add(host)
    },
  }),
  delete: (world, { island: { host } }) => ({
    ...aboutAccount(world, host, { method: 'DELETE', path: '' }),
    note: () => {
      world.model.deleted.add(host)
      for (const island of world.model.islands) if (island.host === host) island.isClosed = true
    },
  }),
  report: ({ model, users }, { island, user }) => ({
    by: users[user],
    request: {
      method: 'POST',
      url: '/api/reports',
      payload: { kind: 'island', id: island.id, reason: 'spam' },
    },
    isAllowed: model.knows(user, island) && user !== island.host && !island.reporters.has(user),
    note: () => island.reporters.add(user),
  }),
} satisfies Record<string, (world: IslandWorld, choices: Choices) => Move>

type MoveName = keyof typeof moves
const often: readonly MoveName[] = [
  'publish',
  'publish',
  'publish',
  'join',
  'join',
  'accept',
  'block',
]

const moveNames: readonly MoveName[] = Object.keys(moves).filter((name) => isMoveName(name))

function isMoveName(name: string): name is MoveName {
  return Object.hasOwn(moves, name)
}

const choices = {
  other: fc.nat(islandCount - 1),
  user: fc.nat(userCount - 1),
  access: fc.constantFrom<AccessPolicy>('public', 'members', 'invited'),
  isListed: fc.boolean(),
}

/** A move with its subjects, by number. */
export const anyMove = fc.record({
  name: fc.constantFrom(...often, ...moveNames),
  island: fc.nat(islandCount - 1),
  ...choices,
})

/** For each island, a move that publishes it or leaves it a draft. */
export const publications = fc.tuple(
  ...Array.from({ length: islandCount }, (_, island) =>
    fc.record({
      name: fc.constantFrom<MoveName>('publish', 'publish', 'publish', 'signal'),
      island: fc.constant(island),
      ...choices,
    }),
  ),
)

type AnyMove = typeof anyMove extends fc.Arbitrary<infer T> ? T : never

/** Makes a move through the API, and expects it to succeed exactly if the model allows it. */
export async function makeMove(world: IslandWorld, chosen: AnyMove): Promise<void> {
  const island = world.model.islands[chosen.island]
  const other = world.model.islands[chosen.other]
  if (island === undefined || other === undefined) throw new Error('there is no such island')
  const move: Move = moves[chosen.name](world, { ...chosen, island, other })
  if (move.by === undefined) return
  const answer = await move.by.inject(move.request)
  expect({ chosen, isDone: answer.statusCode < 300 }).toEqual({ chosen, isDone: move.isAllowed })
  if (move.isAllowed) move.note(answer.statusCode === 204 ? undefined : answer.json())
}

interface HostsMove {
  readonly path: string
  readonly payload: object
  readonly note?: Move['note']
}

function byHost(world: IslandWorld, island: ModelIsland, move: HostsMove): Move {
  const { path, payload, note = () => undefined } = move
  return {
    by: world.users[island.host],
    request: { method: 'POST', url: `/api/islands/${island.id}/${path}`, payload },
    isAllowed: isHosted(world, island),
    note,
  }
}

interface PersonsMove {
  readonly island: ModelIsland
  readonly user: number
  readonly path: string
  /** Without it, the request is a DELETE. */
  readonly payload?: object
}

/** A host's request about a user. */
function about({ users }: IslandWorld, { island, user, path, payload }: PersonsMove) {
  const url = `/api/islands/${island.id}/${path}/${users[user]?.username}`
  const request: InjectOptions =
    payload === undefined ? { method: 'DELETE', url } : { method: 'POST', url, payload }
  return { by: users[island.host], request }
}

/** An operator's request about a host who does nothing else. */
function aboutAccount(
  { operator, users, model }: IslandWorld,
  host: number,
  { method, path }: { readonly method: 'POST' | 'DELETE'; readonly path: string },
) {
  const url = `/api/operator/users/${users[host]?.username}${path}`
  return {
    by: host < userCount || model.deleted.has(host) ? undefined : operator,
    request: { method, url },
    isAllowed: true,
  }
}

function handOver({ operator, users }: IslandWorld, island: ModelIsland, host: number): Move {
  return {
    by: operator,
    request: {
      method: 'POST',
      url: `/api/operator/islands/${island.id}/hand-over`,
      payload: { host: users[host]?.username ?? null },
    },
    isAllowed: !island.isClosed,
    note: () => {
      if (host === island.host) return
      island.host = host
      island.hasCarrier = false
      island.isRevoked = true
      for (const people of [island.members, island.askers, island.blocked]) people.delete(host)
    },
  }
}

/** Whether it has a host who can act. */
function isHosted({ model }: IslandWorld, { isClosed, host }: ModelIsland): boolean {
  return !isClosed && host !== nobody && !model.signedOut.has(host)
}

function letIn(island: ModelIsland, user: number): void {
  island.members.add(user)
  island.askers.delete(user)
}

function noteSlug(island: ModelIsland, answer: unknown): void {
  const { slug } = v.parse(OwnIsland, answer)
  island.slug = slug
  if (!isSecret(slug)) island.plainSlugs.add(slug)
}
