import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@astropelago/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { actorOf, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { isoTime } from '../../iso-time.ts'
import type { AccountsParts } from './accounts-parts.ts'
import type { SessionRecord } from './accounts-store.ts'
import { isSessionAlive } from './find-signed-in-user.ts'

export async function sessionRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, sessionHashOf } = parts
  const audit = (
    user: UserCaller,
    action: string,
    details: Record<string, string | number | null>,
  ) =>
    parts.audit.note({ actor: actorOf(user), action, subject: userSubject(user.username), details })

  serve(app, listSessions, async ({ user, request }) => {
    const current = sessionHashOf(request)
    const nowMs = parts.clock()
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
    await audit(user, 'session.ended', { device: ended.device })
    if (isSame(ended.tokenHash, sessionHashOf(request))) parts.sessionCookie.clear(reply)
    return { status: 204 }
  })

  serve(app, endOtherSessions, async ({ user, request }) => {
    const ended = await store.endOtherSessions(user.userKey, sessionHashOf(request))
    if (ended > 0) await audit(user, 'session.others_ended', { sessions: ended })
    return { status: 200, body: { ended } }
  })
}

function presentSession(session: SessionRecord, current: Uint8Array): Session {
  return {
    id: session.id,
    device: session.device,
    addressFamily: session.addressFamily === null ? null : `IPv${session.addressFamily}`,
    createdAt: isoTime(session.createdMs),
    lastUsedAt: isoTime(session.lastUsedMs),
    isCurrent: isSame(session.tokenHash, current),
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
