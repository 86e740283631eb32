import { randomUUID } from 'node:crypto'
import type { IslandRole } from '@astropelago/contract/islands'
import {
  membersPerIsland,
  membershipsPerUser,
  requestsPerIsland,
} from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { roleOf } from '../access-policy.ts'
import { findVisibleIsland } from '../find-island.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { MemberLimits, PeopleStore } from './people-store.ts'

export const memberLimits: MemberLimits = {
  perIsland: membersPerIsland,
  perUser: membershipsPerUser,
}

/** The host may change the access policy while somebody joins, but hardly more than once. */
const tries = 3

export interface JoinIslandDeps {
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly people: Pick<PeopleStore, 'join' | 'ask'>
  readonly clock: Clock
}

/**
 * Makes a user a member or, if the access policy is `invited`, asks the host. A member stays one.
 * @throws DomainError `not_found`, `member_limit`, `membership_limit`, `request_limit`
 */
export async function joinIsland(
  deps: JoinIslandDeps,
  userKey: number,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<IslandRole> {
  for (let tried = 0; tried < tries; tried += 1) {
    const { island, viewer } = await findVisibleIsland(deps.islands, userKey, id)
    const role = roleOf(island, viewer)
    if (role === 'host' || role === 'member') return role
    // Blocked users can't join, just like visitors who are not signed in.
    if (role === 'visitor') throw new DomainError('not_found')
    const somebody = { islandKey: island.key, userKey, atMs: deps.clock() }
    const joined =
      island.access === 'invited'
        ? await ask(deps, { ...somebody, text })
        : await join(deps, somebody, island.access)
    if (joined !== undefined) return joined
  }
  throw new DomainError('not_found')
}

interface Somebody {
  readonly islandKey: number
  readonly userKey: number
  readonly atMs: number
}

async function join(
  { people }: JoinIslandDeps,
  somebody: Somebody,
  access: 'public' | 'members',
): Promise<IslandRole | undefined> {
  const member = { ...somebody, entryId: randomUUID() }
  const outcome = await people.join(member, access, memberLimits)
  if (outcome === 'changed') return undefined
  if (outcome === 'island_full' || outcome === 'user_full') throw refusalOf(outcome)
  return 'member'
}

async function ask(
  { people }: JoinIslandDeps,
  request: Somebody & { readonly text: string },
): Promise<IslandRole | undefined> {
  const limits = { perIsland: requestsPerIsland, perUser: membershipsPerUser }
  const outcome = await people.ask(request, limits)
  if (outcome === 'changed') return undefined
  if (outcome === 'requests_full') throw new DomainError('request_limit')
  if (outcome === 'user_full') throw refusalOf(outcome)
  if (outcome === 'is_member') return 'member'
  return 'asked'
}

/** The error for a limit that keeps somebody from becoming a member. */
export function refusalOf(outcome: 'island_full' | 'user_full'): DomainError {
  return new DomainError(outcome === 'island_full' ? 'member_limit' : 'membership_limit')
}
