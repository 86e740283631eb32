import { randomUUID } from 'node:crypto'
import type { IslandRole } from '@astropelago/contract/islands'
import {
  membersPerIsland,
  membershipsPerUser,
  requestsPerIsland,
} from '@astropelago/contract/limits'
import { DomainError } from '../../../domain-error.ts'
import { hashTypedCode } from '../../../one-time-code.ts'
import { isHost, isShown, mayKnow, roleOf } from '../access-policy.ts'
import { findVisibleIsland } from '../find-island.ts'
import type { IslandsContext } from '../islands-context.ts'
import type { FoundIsland } from '../islands-store.ts'
import type { InvitationsStore, MemberLimits, PeopleStore } from './people-store.ts'

export const memberLimits: MemberLimits = {
  perIsland: membersPerIsland,
  perUser: membershipsPerUser,
}
const requestLimits = { perIsland: requestsPerIsland, perUser: membershipsPerUser }

/** The host may change the access policy while a user joins, but hardly more than once. */
const tries = 3

interface JoinContext extends Pick<IslandsContext, 'islands' | 'clock'> {
  readonly people: Pick<PeopleStore, 'join' | 'ask'>
}

/**
 * Makes a user a member or, if the access policy is `invited`, asks the host. A member stays one.
 * @throws DomainError `not_found`, `member_limit`, `membership_limit`, `request_limit`
 */
export async function joinIsland(
  { islands, people, clock }: JoinContext,
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

interface InvitationContext extends Pick<IslandsContext, 'islands' | 'clock'> {
  readonly invitations: Pick<InvitationsStore, 'find' | 'accept'>
}

interface Invited {
  readonly found: FoundIsland
  readonly codeHash: Uint8Array
  /** Host or member already. The invitation then only leads to the island. */
  readonly isIn: boolean
}

/**
 * Finds the island that an invitation leads to. If the island is a draft or hidden, or has blocked the
 * user, the invitation might as well not exist.
 * @throws DomainError `invalid_invitation`
 */
export async function readInvitation(
  { invitations, islands, clock }: InvitationContext,
  userKey: number | null,
  code: string,
): Promise<Invited> {
  const codeHash = hashTypedCode(code, 'invalid_invitation')
  const invitation = await invitations.find(codeHash, clock())
  const found = invitation && (await islands.findById(userKey, invitation.islandId))
  if (invitation === undefined || found === undefined) throw new DomainError('invalid_invitation')
  const { island, viewer } = found
  const isIn = isHost(island, viewer) || (viewer.isMember && mayKnow(island, viewer))
  const isLetIn = invitation.isUsable && isShown(island) && !viewer.isBlocked
  if (!isIn && !isLetIn) throw new DomainError('invalid_invitation')
  return { found, codeHash, isIn }
}

/**
 * Makes a user a member, and returns the island's slug. A member or host uses nothing up.
 * @throws DomainError `invalid_invitation`, `member_limit`, `membership_limit`
 */
export async function acceptInvitation(
  context: InvitationContext,
  userKey: number,
  code: string,
): Promise<string> {
  const { found, codeHash, isIn } = await readInvitation(context, userKey, code)
  const { slug } = found.island
  if (isIn) return slug
  const acceptance = { userKey, atMs: context.clock(), entryId: randomUUID() }
  const outcome = await context.invitations.accept(codeHash, acceptance, memberLimits)
  if (outcome === 'unusable') throw new DomainError('invalid_invitation')
  if (outcome === 'island_full' || outcome === 'user_full') throw refusalOf(outcome)
  return slug
}
