import { avatarPath } from '@astropelago/contract/avatars'
import { randomUUID } from 'node:crypto'
import {
  answerJoinRequest,
  blockUser,
  joinIsland as joinIslandRoute,
  leaveIsland,
  listBlocks,
  listJoinRequests,
  listMembers,
  memberPageLength,
  removeMember,
  unblockUser,
} from '@astropelago/contract/island-members'
import { blocksPerIsland } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { mayKnowMembers } from '../access-policy.ts'
import { findHostedIsland, findVisibleIsland } from '../find-island.ts'
import { joinIsland, memberLimits, refusalOf, type JoinIslandDeps } from './join-island.ts'
import type { PeopleStore } from './people-store.ts'

export interface MembersRoutesOptions extends JoinIslandDeps {
  readonly serve: Serve
  readonly people: PeopleStore
  /** By username; undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
  /**
   * Counts how often a user joins or asks.
   * @throws DomainError `rate_limited`
   */
  readonly limitJoins: (userKey: number) => void
}

export async function membersRoutes(app: FastifyInstance, options: MembersRoutesOptions) {
  const { serve, islands, people, clock, findUserKey, limitJoins } = options

  /** The host's island, and a user that the host names. */
  const readNamed = async (hostKey: number, { id, username }: Named) => {
    const { island } = await findHostedIsland(islands, hostKey, id)
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    return { islandKey: island.key, userKey }
  }

  serve(app, listMembers, async ({ user, params, query: { after } }) => {
    const { island, viewer, memberCount } = await findVisibleIsland(
      islands,
      user.userKey,
      params.id,
    )
    if (!mayKnowMembers(island, viewer)) throw new DomainError('not_found')
    // No key is 0, so nobody comes after a user who does not exist.
    const afterKey = after === undefined ? undefined : ((await findUserKey(after)) ?? 0)
    // One more than the page shows, to know whether there are more.
    const page = { afterKey, limit: memberPageLength + 1 }
    const found = await people.listMembers(island.key, page)
    const members = found.slice(0, memberPageLength).map(({ username, name, avatar, atMs }) => ({
      username,
      name,
      avatar: avatarPath(avatar),
      joinedAt: toIso(atMs),
    }))
    const hasMore = found.length > memberPageLength
    return { status: 200, body: { members, total: memberCount, hasMore } }
  })

  serve(app, removeMember, async ({ user, params }) => {
    const { islandKey, userKey } = await readNamed(user.userKey, params)
    const wasMember = await people.removeMember(islandKey, userKey)
    if (!wasMember) throw new DomainError('not_found')
    return { status: 204 }
  })

  serve(
    app,
    joinIslandRoute,
    async ({ user: { userKey }, params: { id }, body: { text } }) => {
      limitJoins(userKey)
      return { status: 200, body: { role: await joinIsland(options, userKey, { id, text }) } }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, leaveIsland, async ({ user: { userKey }, params }) => {
    const { island } = await findVisibleIsland(islands, userKey, params.id)
    const was = await people.leave(island.key, userKey)
    if (was === undefined) throw new DomainError('not_found')
    return { status: 204 }
  })

  serve(app, listJoinRequests, async ({ user, params }) => {
    const { island } = await findHostedIsland(islands, user.userKey, params.id)
    const requests = await people.listRequests(island.key)
    const body = requests.map(({ username, name, avatar, text, atMs }) => ({
      username,
      name,
      avatar: avatarPath(avatar),
      text,
      at: toIso(atMs),
    }))
    return { status: 200, body }
  })

  serve(app, answerJoinRequest, async ({ user, params, body: { isLetIn } }) => {
    const somebody = await readNamed(user.userKey, params)
    const { islandKey, userKey } = somebody
    if (isLetIn) {
      const member = { ...somebody, atMs: clock(), entryId: randomUUID() }
      const outcome = await people.letIn(member, memberLimits)
      if (outcome === 'gone') throw new DomainError('not_found')
      if (outcome !== 'answered') throw refusalOf(outcome)
    } else {
      const wasAsked = await people.turnAway(islandKey, userKey)
      if (!wasAsked) throw new DomainError('not_found')
    }
    return { status: 204 }
  })

  serve(app, listBlocks, async ({ user, params }) => {
    const { island } = await findHostedIsland(islands, user.userKey, params.id)
    const blocks = await people.listBlocks(island.key)
    const body = blocks.map(({ username, name, avatar, atMs }) => ({
      username,
      name,
      avatar: avatarPath(avatar),
      at: toIso(atMs),
    }))
    return { status: 200, body }
  })

  serve(app, blockUser, async ({ user, params }) => {
    const { islandKey, userKey } = await readNamed(user.userKey, params)
    // Hosts can't block themselves.
    if (userKey === user.userKey) throw new DomainError('not_found')
    const isBlocked = await people.block(islandKey, userKey, {
      atMs: clock(),
      max: blocksPerIsland,
    })
    if (!isBlocked) throw new DomainError('block_limit')
    return { status: 204 }
  })

  serve(app, unblockUser, async ({ user, params }) => {
    const { islandKey, userKey } = await readNamed(user.userKey, params)
    const wasBlocked = await people.unblock(islandKey, userKey)
    if (!wasBlocked) throw new DomainError('not_found')
    return { status: 204 }
  })
}

interface Named {
  readonly id: string
  readonly username: string
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
