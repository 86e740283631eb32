import { randomUUID } from 'node:crypto'
import { DomainError } from '../../../domain-error.ts'
import { hashTypedCode } from '../../../one-time-code.ts'
import { isHost, isShown, mayKnow } from '../access-policy.ts'
import type { FoundIsland } from '../islands-store.ts'
import type { InvitationsStore } from './invitations-store.ts'
import { memberLimits, refusalOf, type JoinIslandDeps } from './join-island.ts'

export interface AcceptInvitationDeps extends Omit<JoinIslandDeps, 'people'> {
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
  { invitations, islands, clock }: AcceptInvitationDeps,
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
 * Makes a user a member by an invitation. A member or host uses nothing up.
 * @returns the island's slug
 * @throws DomainError `invalid_invitation`, `member_limit`, `membership_limit`
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  userKey: number,
  code: string,
): Promise<string> {
  const { found, codeHash, isIn } = await readInvitation(deps, userKey, code)
  const { slug } = found.island
  if (isIn) return slug
  const acceptance = { userKey, atMs: deps.clock(), entryId: randomUUID() }
  const outcome = await deps.invitations.accept(codeHash, acceptance, memberLimits)
  if (outcome === 'unusable') throw new DomainError('invalid_invitation')
  if (outcome === 'island_full' || outcome === 'user_full') throw refusalOf(outcome)
  return slug
}
