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
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { hashCode, makeCode } from '../../../one-time-code.ts'
import { findHostedIsland } from '../find-island.ts'
import { readVisibleOpenness, type CarrierPresence } from '../island-openness.ts'
import { presentCard } from '../present-island.ts'
import { acceptInvitation, readInvitation, type AcceptInvitationDeps } from './accept-invitation.ts'
import type { InvitationRecord, InvitationsStore } from './invitations-store.ts'

const dayMs = 86_400_000

export interface InvitationsRoutesOptions extends AcceptInvitationDeps {
  readonly serve: Serve
  readonly invitations: InvitationsStore
  readonly publicUrl: string
  readonly presence: Pick<CarrierPresence, 'statusSince' | 'clock'>
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly limits: Pick<RateLimits, 'useCode'>
}

export async function invitationsRoutes(app: FastifyInstance, options: InvitationsRoutesOptions) {
  const { serve, islands, invitations, clock, publicUrl, presence, findUser, limits } = options

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
      return {
        status: 201,
        body: {
          ...presentInvitation({ ...invitation, uses: 0 }),
          code: shown,
          link: publicUrl + invitationPath(shown),
        },
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
    const { found } = await readInvitation(options, user?.userKey ?? null, code)
    return {
      status: 200,
      body: {
        ...presentCard(found.island, await readVisibleOpenness(found, presence)),
        rules: found.island.rules,
      },
    }
  })

  serve(
    app,
    acceptInvitationRoute,
    async ({ user, body: { code }, request }) => {
      limits.useCode(request)
      return { status: 200, body: { slug: await acceptInvitation(options, user.userKey, code) } }
    },
    { refuseCaller: refuseDemo },
  )
}

function presentInvitation({ createdMs, expiresMs, ...invitation }: InvitationRecord): Invitation {
  return {
    ...invitation,
    createdAt: new Date(createdMs).toISOString(),
    expiresAt: new Date(expiresMs).toISOString(),
  }
}
