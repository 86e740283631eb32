import { dayMs } from '../../../history/time-spans.ts'
import { randomUUID } from 'node:crypto'
import {
  createInvite,
  invitePath,
  listInvites,
  revokeInvite,
  type Invite,
} from '@astropelago/contract/invites'
import { invitesMax } from '@astropelago/contract/limits'
import { formatCode } from '@astropelago/contract/one-time-code'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { isoTime } from '../../../iso-time.ts'
import { hashCode, makeCode } from '../../../one-time-code.ts'
import type { AccountsParts } from '../accounts-parts.ts'
import type { InviteRecord } from '../invites-store.ts'

export async function invitesRoutes(
  app: FastifyInstance,
  { serve, invites, clock, publicUrl }: AccountsParts,
) {
  serve(app, listInvites, async () => ({
    status: 200,
    body: (await invites.list()).map(presentInvite),
  }))

  serve(
    app,
    createInvite,
    async ({ body: { uses, days, note }, operator }) => {
      const code = makeCode()
      const createdMs = clock()
      const invite = await invites.insert(
        {
          id: randomUUID(),
          codeHash: hashCode(code),
          note,
          maxUses: uses,
          createdBy: operator.name,
          createdMs,
          expiresMs: createdMs + days * dayMs,
        },
        invitesMax,
      )
      const shown = formatCode(code)
      const link = publicUrl + invitePath(shown)
      return { status: 201, body: { ...presentInvite(invite), code: shown, link } }
    },
    {
      audit: ({ body: { uses, days, note } }) => ({
        action: 'invite.created',
        details: { uses, days, note },
      }),
    },
  )

  serve(
    app,
    revokeInvite,
    async ({ params: { id } }) => {
      if (!(await invites.delete(id))) throw new DomainError('not_found')
      return { status: 204 }
    },
    { audit: ({ params: { id } }) => ({ action: 'invite.revoked', subject: `invite:${id}` }) },
  )
}

function presentInvite({ createdMs, expiresMs, ...invite }: InviteRecord): Invite {
  return { ...invite, createdAt: isoTime(createdMs), expiresAt: isoTime(expiresMs) }
}
