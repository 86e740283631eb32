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
import { isoTime } from '../../../iso-time.ts'
import { cutPage } from '../../../page-position.ts'
import { mayKnowMembers } from '../access-policy.ts'
import { findHostedIsland, findVisibleIsland } from '../find-island.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { joinIsland, memberLimits, refusalOf } from './join-island.ts'
import type { PeopleStore, PersonRecord } from './people-store.ts'

interface MembersContext extends IslandsRoutesContext {
  readonly people: PeopleStore
  /** @throws DomainError `rate_limited` if the user joined or asked too often */
  readonly limitJoins: (userKey: number) => void
}

export async function membersRoutes(app: FastifyInstance, context: MembersContext) {
  const { serve, islands, people, clock, findUserKey, limitJoins } = context

  /** The host's island, and a user that the host names. */
  const readNamed = async (
    hostKey: number,
    { id, username }: { readonly id: string; readonly username: string },
  ) => {
    const { island } = await findHostedIsland(islands, hostKey, id)
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    return { islandKey: island.key, userKey }
  }

  serve(app, listMembers, async ({ user, params, query: { after } }) => {
    const found = await findVisibleIsland(islands, user.userKey, params.id)
    const { island, viewer, memberCount } = found
    if (!mayKnowMembers(island, viewer)) throw new DomainError('not_found')
    // No key is 0, so nobody comes after a user who does not exist.
    const afterKey = after === undefined ? undefined : ((await findUserKey(after)) ?? 0)
    const page = { afterKey, limit: memberPageLength + 1 }
    const { shown, last } = cutPage(await people.listMembers(island.key, page), memberPageLength)
    const members = shown.map((member) =>
      Object.assign(presentPerson(member), { joinedAt: isoTime(member.atMs) }),
    )
    return { status: 200, body: { members, total: memberCount, hasMore: last !== undefined } }
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
      return { status: 200, body: { role: await joinIsland(context, userKey, { id, text }) } }
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
    const body = requests.map((request) =>
      Object.assign(presentPerson(request), { text: request.text, at: isoTime(request.atMs) }),
    )
    return { status: 200, body }
  })

  serve(app, answerJoinRequest, async ({ user, params, body: { isLetIn } }) => {
    const asking = await readNamed(user.userKey, params)
    if (isLetIn) {
      const member = { ...asking, atMs: clock(), entryId: randomUUID() }
      const outcome = await people.letIn(member, memberLimits)
      if (outcome === 'gone') throw new DomainError('not_found')
      if (outcome !== 'answered') throw refusalOf(outcome)
    } else {
      const wasAsked = await people.turnAway(asking.islandKey, asking.userKey)
      if (!wasAsked) throw new DomainError('not_found')
    }
    return { status: 204 }
  })

  serve(app, listBlocks, async ({ user, params }) => {
    const { island } = await findHostedIsland(islands, user.userKey, params.id)
    const blocks = await people.listBlocks(island.key)
    const body = blocks.map((block) =>
      Object.assign(presentPerson(block), { at: isoTime(block.atMs) }),
    )
    return { status: 200, body }
  })

  serve(app, blockUser, async ({ user, params }) => {
    const { islandKey, userKey } = await readNamed(user.userKey, params)
    // Hosts can't block themselves.
    if (userKey === user.userKey) throw new DomainError('not_found')
    const limit = { atMs: clock(), max: blocksPerIsland }
    const isBlocked = await people.block(islandKey, userKey, limit)
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

function presentPerson({ username, name, avatar }: PersonRecord) {
  return { username, name, avatar: avatarPath(avatar) }
}
