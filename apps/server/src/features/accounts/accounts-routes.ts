import {
  demoLogin,
  getSignInOptions,
  logout,
  passwordLogin,
  register,
  updateMe,
  type Registration,
} from '@astropelago/contract/accounts'
import { getMe } from '@astropelago/contract/me'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userSubject, type AuditLog } from '../../audit-log.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { isMeantByUser } from '../../http/cross-site.ts'
import { addressKey, type RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { AccountsStore } from './accounts-store.ts'
import type { CommonPasswords } from './common-passwords.ts'
import type { InvitesStore } from './invites-store.ts'
import { isPageNavigation } from '../../http/page-navigation.ts'
import type { IsOperator } from './operator/is-operator.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { presentUser } from './present-user.ts'
import { registerUser } from './register-user.ts'
import type { SessionCookie } from './session-cookie.ts'
import { sessionOrigin } from './session-origin.ts'
import { signInDemo } from './sign-in-demo.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { signIn, SignInFailed } from './sign-in.ts'
import { signOut } from './sign-out.ts'
import { updateUser } from './update-user.ts'

interface AccountsRoutesOptions {
  readonly serve: Serve
  readonly store: AccountsStore
  readonly clock: Clock
  readonly passwordHasher: PasswordHasher
  readonly commonPasswords: CommonPasswords
  readonly throttle: SignInThrottle
  readonly sessionCookie: SessionCookie
  readonly limits: Pick<RateLimits, 'makeAccount' | 'isExempt'>
  readonly ownOrigin: OwnOrigin
  readonly isDemoOn: boolean
  readonly isOperator: IsOperator
  readonly invites: Pick<InvitesStore, 'findUsable'>
  readonly registration: Registration
  readonly audit: Pick<AuditLog, 'note'>
  readonly mailer: Pick<Mailer, 'canSend'>
}

export async function accountsRoutes(app: FastifyInstance, options: AccountsRoutesOptions) {
  const { serve, store, clock, passwordHasher, throttle } = options
  const { sessionCookie, limits, ownOrigin, isDemoOn, isOperator, registration, mailer } = options

  serve(app, getSignInOptions, async () => ({
    status: 200,
    body: { registration, isDemoOn, canSendMail: mailer.canSend },
  }))

  serve(app, getMe, async ({ user }) => ({
    status: 200,
    body: { user: presentUser(user, isOperator) },
  }))

  // Otherwise a page would ask again on every visit for a session that has ended.
  app.addHook('onSend', async (request, reply) => {
    const isSignedOut = request.routeOptions.config.route === getMe && reply.statusCode === 401
    if (isSignedOut) sessionCookie.clear(reply)
  })

  serve(app, updateMe, async ({ user: { userKey }, body, request }) => {
    const user = await updateUser({ store }, userKey, body)
    request.log.info({ event: 'user_changed', userKey }, 'user changed')
    return { status: 200, body: { user: presentUser(user, isOperator) } }
  })

  serve(app, passwordLogin, async ({ body, request, reply }) => {
    const address = limits.isExempt(request) ? null : addressKey(request)
    const presentedToken = sessionCookie.read(request)
    try {
      const { user, token } = await signIn({ store, clock, passwordHasher, throttle }, body, {
        address,
        presentedToken,
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
      const { user, token, inviteId } = await registerUser(
        options,
        body,
        sessionCookie.read(request),
        sessionOrigin(request),
      )
      if (inviteId !== null) {
        await options.audit.note({
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
    if (!isDemoOn) throw new DomainError('demo_off')
    limits.makeAccount(request)
    const { user, token } = await signInDemo(
      { store, clock },
      sessionCookie.read(request),
      sessionOrigin(request),
    )
    sessionCookie.set(reply, token)
    logEvent(request, 'demo_signed_in', user.key)
    return { status: 200, body: { user: presentUser(user, isOperator) } }
  })

  serve(app, logout, async ({ request, reply }) => {
    if (!isMeantByUser(request, ownOrigin)) throw new DomainError('cross_site')
    const isNavigation = isPageNavigation(request.headers)
    // Our pages log out by fetch, so a same-origin link to this path comes from content that users
    // wrote.
    if (isNavigation && request.headers['sec-fetch-site'] === 'same-origin') {
      reply.header('location', '/')
      return { status: 303 }
    }
    const token = sessionCookie.read(request)
    const userKey = token === undefined ? undefined : await signOut({ store }, token)
    if (userKey !== undefined) logEvent(request, 'signed_out', userKey)
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

type AccountEvent = 'signed_in' | 'sign_in_failed' | 'registered' | 'demo_signed_in' | 'signed_out'

/**
 * Logs the user's key, because a typed username may be a password in the wrong field. The key is null if
 * there is no such user.
 */
function logEvent(request: FastifyRequest, event: AccountEvent, userKey: number | null): void {
  request.log.info({ event, userKey, address: request.ip }, 'account event')
}
