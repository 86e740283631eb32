import {
  demoLogin,
  getSignInOptions,
  logout,
  passwordLogin,
  register,
  updateMe,
} from '@astropelago/contract/accounts'
import { avatarPath } from '@astropelago/contract/avatars'
import { getMe, type User } from '@astropelago/contract/me'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@astropelago/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { auditUser, userSubject } from '../../audit-log.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { isMeantByUser } from '../../http/cross-site.ts'
import { isPageNavigation } from '../../http/negotiation.ts'
import { isoTime } from '../../iso-time.ts'
import { hashToken } from '../../secret-token.ts'
import { logEvent, type AccountsParts, type IsOperator } from './accounts-parts.ts'
import type { SessionRecord, UserRecord } from './accounts-store.ts'
import { isSessionAlive } from './find-signed-in-user.ts'
import { registerUser } from './register-user.ts'
import { signIn, signInDemo, SignInFailed } from './sign-in.ts'
import { sessionOrigin } from './start-session.ts'

export async function accountsRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, sessionCookie, limits, isOperator, registration } = parts

  serve(app, getSignInOptions, async () => ({
    status: 200,
    body: { registration, isDemoOn: parts.isDemoOn, canSendMail: parts.mailer.canSend },
  }))

  serve(app, getMe, async ({ user }) => ({
    status: 200,
    body: { user: presentUser(user, isOperator) },
  }))

  // Otherwise a page would ask again on every load for a session that has ended.
  app.addHook('onSend', async (request, reply) => {
    const isSignedOut = request.routeOptions.config.route === getMe && reply.statusCode === 401
    if (isSignedOut) sessionCookie.clear(reply)
  })

  serve(app, updateMe, async ({ user: { userKey }, body, request }) => {
    const user = presentUser(await store.update(userKey, body), isOperator)
    request.log.info({ event: 'user_changed', userKey }, 'user changed')
    return { status: 200, body: { user } }
  })

  serve(app, passwordLogin, async ({ body, request, reply }) => {
    try {
      const { user, token } = await signIn(parts, body, {
        address: parts.limitedAddress(request),
        presentedToken: sessionCookie.read(request),
        origin: sessionOrigin(request),
      })
      sessionCookie.set(reply, token)
      logEvent(request, 'signed_in', user.key)
      return { status: 200, body: { user: presentUser(user, isOperator) } }
    } catch (error) {
      if (error instanceof SignInFailed) logEvent(request, 'sign_in_failed', error.userKey)
      throw error
    }
  })

  serve(
    app,
    register,
    async ({ body, request, reply }) => {
      limits.makeAccount(request)
      const presentedToken = sessionCookie.read(request)
      const origin = sessionOrigin(request)
      const { user, token, inviteId } = await registerUser(parts, body, presentedToken, origin)
      if (inviteId !== null) {
        await parts.audit.note({
          actor: userSubject(user.username),
          action: 'invite.used',
          subject: `invite:${inviteId}`,
        })
      }
      sessionCookie.set(reply, token)
      logEvent(request, 'registered', user.key)
      return { status: 201, body: { user: presentUser(user, isOperator) } }
    },
    {
      refuseCaller: () => {
        if (registration === 'closed') throw new DomainError('registration_closed')
      },
    },
  )

  serve(app, demoLogin, async ({ request, reply }) => {
    if (!parts.isDemoOn) throw new DomainError('demo_off')
    limits.makeAccount(request)
    const presentedToken = sessionCookie.read(request)
    const { user, token } = await signInDemo(parts, presentedToken, sessionOrigin(request))
    sessionCookie.set(reply, token)
    logEvent(request, 'demo_signed_in', user.key)
    return { status: 200, body: { user: presentUser(user, isOperator) } }
  })

  serve(app, logout, async ({ request, reply }) => {
    if (!isMeantByUser(request, parts.ownOrigin)) throw new DomainError('cross_site')
    const isNavigation = isPageNavigation(request.headers)
    // Our pages log out by fetch, so a same-origin link to this path comes from users' content.
    if (isNavigation && request.headers['sec-fetch-site'] === 'same-origin') {
      reply.header('location', '/')
      return { status: 303 }
    }
    const token = sessionCookie.read(request)
    const ended = token === undefined ? undefined : await store.endSession(hashToken(token))
    if (ended !== undefined) logEvent(request, 'signed_out', ended.userKey)
    sessionCookie.clear(reply)
    if (!isNavigation) return { status: 204 }
    reply.header('location', '/')
    return { status: 303 }
  })

  // HEAD must not log anybody out. Without an explicit route, its handler would depend on other plugins.
  app.head(logout.path, { schema: { hide: true } }, async () => {
    throw new DomainError('cross_site')
  })
}

export async function sessionRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, sessionHashOf } = parts
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
    await auditUser(parts.audit, user, 'session.ended', userSubject(user.username), {
      device: ended.device,
    })
    if (isSame(ended.tokenHash, sessionHashOf(request))) parts.sessionCookie.clear(reply)
    return { status: 204 }
  })

  serve(app, endOtherSessions, async ({ user, request }) => {
    const ended = await store.endOtherSessions(user.userKey, sessionHashOf(request))
    if (ended > 0) {
      const subject = userSubject(user.username)
      await auditUser(parts.audit, user, 'session.others_ended', subject, { sessions: ended })
    }
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

/** What users see of their own account. @throws DomainError `signed_out` if it was deleted meanwhile */
export function presentUser(
  user: UserRecord | UserCaller | undefined,
  isOperator: IsOperator,
): User {
  if (user === undefined) throw new DomainError('signed_out')
  const { username, name, avatar, hue, isNamePublic, isDemo } = user
  return {
    username,
    name,
    avatar: avatarPath(avatar),
    hue,
    isNamePublic,
    isDemo,
    isOperator: isOperator(user),
  }
}
