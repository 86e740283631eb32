import { randomUUID } from 'node:crypto'
import {
  acceptInvitation as acceptInvitationRoute,
  createInvitation,
  invitationPath,
  listInvitations,
  readInvitation as readInvitationRoute,
  revokeInvitation,
  type Invitation,
} from '@astropelago/contract/island-members'
import { invitationsPerIsland } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import { isoTime } from '../../../iso-time.ts'
import { hashCode, hashTypedCode, makeCode } from '../../../one-time-code.ts'
import { isHost, isShown, mayKnow } from '../access-policy.ts'
import { findHostedIsland } from '../find-island.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { readCard } from '../present-island.ts'
import { memberLimits, refusalOf } from './members-routes.ts'
import type { InvitationRecord, InvitationsStore } from './people-store.ts'

interface InvitationsContext extends IslandsRoutesContext {
  readonly invitations: InvitationsStore
  readonly publicUrl: string
}

export async function invitationsRoutes(app: FastifyInstance, context: InvitationsContext) {
  const { serve, islands, invitations, clock, publicUrl, presence, findUser, limits } = context

  serve(app, listInvitations, async ({ user, params }) => {
    const { island } = await findHostedIsland(islands, user.userKey, params.id)
    const all = await invitations.list(island.key)
    return { status: 200, body: all.map(presentInvitation) }
  })

  serve(
    app,
    createInvitation,
    async ({ user, params, body: { uses, days, note } }) => {
      const { island } = await findHostedIsland(islands, user.userKey, params.id)
      const code = makeCode()
      const createdMs = clock()
      const expiresMs = createdMs + days * dayMs
      const invitation = { id: randomUUID(), note, maxUses: uses, createdMs, expiresMs }
      const isInserted = await invitations.insert(
        island.key,
        { ...invitation, codeHash: hashCode(code) },
        invitationsPerIsland,
      )
      if (!isInserted) throw new DomainError('invitation_limit')
      const shown = formatCode(code)
      const link = publicUrl + invitationPath(shown)
      return {
        status: 201,
        body: { ...presentInvitation({ ...invitation, uses: 0 }), code: shown, link },
      }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, revokeInvitation, async ({ user, params }) => {
    const wasThere = await invitations.delete(params.id, user.userKey)
    if (!wasThere) throw new DomainError('not_found')
    return { status: 204 }
  })

  serve(app, readInvitationRoute, async ({ body: { code }, request }) => {
    limits.useCode(request)
    const user = await findUser(request)
    const { found } = await readInvitation(context, user?.userKey ?? null, code)
    const card = await readCard(found, presence)
    return { status: 200, body: { ...card, rules: found.island.rules } }
  })

  serve(
    app,
    acceptInvitationRoute,
    async ({ user, body: { code }, request }) => {
      limits.useCode(request)
      return { status: 200, body: { slug: await acceptInvitation(context, user.userKey, code) } }
    },
    { refuseCaller: refuseDemo },
  )
}

function presentInvitation({ createdMs, expiresMs, ...invitation }: InvitationRecord): Invitation {
  return { ...invitation, createdAt: isoTime(createdMs), expiresAt: isoTime(expiresMs) }
}

/** Invitations of drafts, of hidden islands and to blocked users do not work. @throws `invalid_invitation` */
async function readInvitation(
  { invitations, islands, clock }: InvitationsContext,
  userKey: number | null,
  code: string,
) {
  const codeHash = hashTypedCode(code, 'invalid_invitation')
  const invitation = await invitations.find(codeHash, clock())
  const found = invitation && (await islands.findById(userKey, invitation.islandId))
  if (invitation === undefined || found === undefined) throw new DomainError('invalid_invitation')
  const { island, viewer } = found
  // The invitation then only leads to the island.
  const isIn = isHost(island, viewer) || (viewer.isMember && mayKnow(island, viewer))
  const isLetIn = invitation.isUsable && isShown(island) && !viewer.isBlocked
  if (!isIn && !isLetIn) throw new DomainError('invalid_invitation')
  return { found, codeHash, isIn }
}

/** A member or host uses nothing up. @throws `invalid_invitation`, `member_limit`, `membership_limit` */
async function acceptInvitation(
  context: InvitationsContext,
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
