import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@astropelago/contract/sessions'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { hashToken } from '../../secret-token.ts'
import type { AccountsStore, SessionRecord } from './accounts-store.ts'
import type { SessionCookie } from './session-cookie.ts'
import { isSessionAlive } from './session-lifetime.ts'

interface SessionRoutesOptions {
  readonly serve: Serve
  readonly store: AccountsStore
  readonly clock: Clock
  readonly audit: Pick<AuditLog, 'note'>
  readonly sessionCookie: SessionCookie
}

/** Listing and ending the user's own sessions. */
export async function sessionRoutes(app: FastifyInstance, options: SessionRoutesOptions) {
  const { serve, store, clock, audit, sessionCookie } = options
  /** The session of this request. It is always there, since these calls need one. */
  const currentHash = (request: FastifyRequest) => hashToken(sessionCookie.read(request) ?? '')

  serve(app, listSessions, async ({ user, request }) => {
    const current = currentHash(request)
    const nowMs = clock()
    const sessions = await store.listSessions(user.userKey)
    return {
      status: 200,
      body: sessions
        .filter((session) => isSessionAlive(session, nowMs))
        .map((session) => presentSession(session, current)),
    }
  })

  serve(app, endSession, async ({ user, params, request, reply }) => {
    const ended = await store.endOwnSession(user.userKey, params.id)
    if (ended === undefined) throw new DomainError('not_found')
    await audit.note({
      actor: actorOf(user),
      action: 'session.ended',
      subject: userSubject(user.username),
      details: { device: ended.device },
    })
    if (isSame(ended.tokenHash, currentHash(request))) sessionCookie.clear(reply)
    return { status: 204 }
  })

  serve(app, endOtherSessions, async ({ user, request }) => {
    const { length: ended } = await store.endOtherSessions(user.userKey, currentHash(request))
    if (ended > 0) {
      await audit.note({
        actor: actorOf(user),
        action: 'session.others_ended',
        subject: userSubject(user.username),
        details: { sessions: ended },
      })
    }
    return { status: 200, body: { ended } }
  })
}

function presentSession(session: SessionRecord, current: Uint8Array): Session {
  return {
    id: session.id,
    device: session.device,
    addressFamily: session.addressFamily === null ? null : `IPv${session.addressFamily}`,
    createdAt: new Date(session.createdMs).toISOString(),
    lastUsedAt: new Date(session.lastUsedMs).toISOString(),
    isCurrent: isSame(session.tokenHash, current),
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
