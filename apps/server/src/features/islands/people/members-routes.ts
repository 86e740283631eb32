import { randomUUID } from 'node:crypto'
import { avatarPath } from '@astropelago/contract/avatars'
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
import type { IslandRole } from '@astropelago/contract/islands'
import {
  blocksPerIsland,
  membersPerIsland,
  membershipsPerUser,
  requestsPerIsland,
} from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import { isoTime } from '../../../iso-time.ts'
import { cutPage } from '../../../page-position.ts'
import { mayKnowMembers, roleOf } from '../access-policy.ts'
import { findHostedIsland, findVisibleIsland } from '../find-island.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { PeopleStore, PersonRecord } from './people-store.ts'

export const memberLimits = { perIsland: membersPerIsland, perUser: membershipsPerUser }
const requestLimits = { perIsland: requestsPerIsland, perUser: membershipsPerUser }

/** The host may change the access policy while a user joins, but hardly more than once. */
const tries = 3

interface NamedParams {
  readonly id: string
  readonly username: string
}

interface MembersContext extends IslandsRoutesContext {
  readonly people: PeopleStore
  /** @throws DomainError `rate_limited` */
  readonly limitJoins: (userKey: number) => void
}

export async function membersRoutes(app: FastifyInstance, context: MembersContext) {
  const { serve, islands, people, clock, findUserKey, limitJoins } = context

  const readNamed = async (hostKey: number, { id, username }: NamedParams) => {
    const { island } = await findHostedIsland(islands, hostKey, id)
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    return { islandKey: island.key, userKey }
  }
  const endNamed =
    (end: PeopleStore['removeMember']) =>
    async ({ user, params }: { readonly user: UserCaller; readonly params: NamedParams }) => {
      const { islandKey, userKey } = await readNamed(user.userKey, params)
      if (!(await end(islandKey, userKey))) throw new DomainError('not_found')
      return { status: 204 } as const
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

  serve(app, removeMember, endNamed(people.removeMember))

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

  serve(app, unblockUser, endNamed(people.unblock))
}

/** If the access policy is `invited`, asks the host. @throws `not_found` and errors of limits */
async function joinIsland(
  { islands, people, clock }: MembersContext,
  userKey: number,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<IslandRole> {
  for (let tried = 0; tried < tries; tried += 1) {
    const { island, viewer } = await findVisibleIsland(islands, userKey, id)
    const role = roleOf(island, viewer)
    if (role === 'host' || role === 'member') return role
    // Blocked users can't join, just like visitors who are not signed in.
    if (role === 'visitor') throw new DomainError('not_found')
    const joining = { islandKey: island.key, userKey, atMs: clock() }
    const outcome =
      island.access === 'invited'
        ? await people.ask({ ...joining, text }, requestLimits)
        : await people.join({ ...joining, entryId: randomUUID() }, island.access, memberLimits)
    if (outcome === 'requests_full') throw new DomainError('request_limit')
    if (outcome === 'island_full' || outcome === 'user_full') throw refusalOf(outcome)
    if (outcome !== 'changed') return outcome === 'asked' ? 'asked' : 'member'
  }
  throw new DomainError('not_found')
}

export function refusalOf(outcome: 'island_full' | 'user_full'): DomainError {
  return new DomainError(outcome === 'island_full' ? 'member_limit' : 'membership_limit')
}

function presentPerson({ username, name, avatar }: PersonRecord) {
  return { username, name, avatar: avatarPath(avatar) }
}
