import { brokenCredentialRule } from '@astropelago/contract/accounts'
import { avatarPath, removeUserAvatar } from '@astropelago/contract/avatars'
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  getUser,
  listUsers,
  type OperatorUser,
  type UserSort,
} from '@astropelago/contract/operator'
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import type { FastifyInstance } from 'fastify'
import { userSubject } from '../../../audit-log.ts'
import { DomainError } from '../../../domain-error.ts'
import { isoTime } from '../../../iso-time.ts'
import { cutPage, readPosition, writePosition } from '../../../page-position.ts'
import type { AccountsParts } from '../accounts-parts.ts'
import { insertUser } from '../register-user.ts'
import type { OperatorUserRecord, UserOrder } from './operator-users-store.ts'

type UserChange =
  | typeof disableUser
  | typeof enableUser
  | typeof removeUserAvatar
  | typeof startUserRelay
  | typeof trustHost
  | typeof distrustHost

export async function operatorUsersRoutes(app: FastifyInstance, parts: AccountsParts) {
  const { serve, store, operatorUsers, clock, isOperator, operators } = parts

  const read = async (username: string): Promise<OperatorUserRecord> => {
    const user = await operatorUsers.find(username)
    if (user === undefined) throw new DomainError('not_found')
    return user
  }
  const present = (user: OperatorUserRecord): OperatorUser => ({
    username: user.username,
    name: user.name,
    avatar: avatarPath(user.avatar),
    createdAt: isoTime(user.createdMs),
    isDemo: user.isDemo,
    isOperator: isOperator(user),
    disabledAt: isoTime(user.disabledMs),
    relayStopped: user.relayStopped && {
      at: isoTime(user.relayStopped.atMs),
      reason: user.relayStopped.reason,
    },
    trustedAt: isoTime(user.trustedMs),
    deviceCount: user.deviceCount,
    sessionCount: user.sessionCount,
    lastUsedAt: isoTime(user.lastUsedMs),
  })

  serve(app, listUsers, async ({ query: { limit, sort, after, search, only } }) => {
    const order = orderOf(sort, after)
    const found = await operatorUsers.list({ search, only, operators, order, limit: limit + 1 })
    const { shown, last } = cutPage(found, limit)
    const next = last === undefined ? null : placeOf(sort, last)
    return { status: 200, body: { users: shown.map(present), hasMore: next !== null, next } }
  })

  serve(app, getUser, async ({ params: { username } }) => ({
    status: 200,
    body: present(await read(username)),
  }))

  serve(
    app,
    createUser,
    async ({ body }) => {
      const username = body.username.trim()
      // Only the username is judged here, so any valid password will do.
      const broken = brokenCredentialRule({ username, password: 'x'.repeat(16) })
      if (broken !== undefined) throw new DomainError('invalid_username')
      const user = { username, passwordHash: null, isDemo: false, expiresMs: null }
      await insertUser(store, { ...user, createdMs: clock() })
      return { status: 201, body: present(await read(username)) }
    },
    {
      audit: ({ body: { username } }) => ({
        action: 'user.created',
        subject: userSubject(username.trim().slice(0, 64)),
      }),
    },
  )

  const change = async (username: string, act: (userKey: number) => Promise<unknown>) => {
    await act((await read(username)).key)
    return { status: 200, body: present(await read(username)) } as const
  }
  const serveChange = (
    route: UserChange,
    action: string,
    act: (userKey: number) => Promise<unknown>,
  ) => serve(app, route, ({ params: { username } }) => change(username, act), audited(action))

  serveChange(disableUser, 'user.disabled', (key) => store.setDisabled(key, clock()))
  serveChange(enableUser, 'user.enabled', (key) => store.setDisabled(key, null))
  serveChange(removeUserAvatar, 'avatar.removed', (key) => store.setAvatar(key, null))
  serveChange(startUserRelay, 'relay.started', (key) => operatorUsers.setRelayStopped(key, null))
  serveChange(trustHost, 'host.trusted', (key) => operatorUsers.setTrusted(key, clock()))
  serveChange(distrustHost, 'host.distrusted', (key) => operatorUsers.setTrusted(key, null))

  serve(
    app,
    stopUserRelay,
    ({ params: { username }, body: { reason } }) =>
      change(username, (key) => operatorUsers.setRelayStopped(key, { atMs: clock(), reason })),
    {
      audit: ({ params: { username }, body: { reason } }) => ({
        action: 'relay.stopped',
        subject: userSubject(username),
        details: { reason },
      }),
    },
  )

  serve(
    app,
    deleteUser,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      return { status: 200, body: { deviceCount: await store.deleteUser(key) } }
    },
    audited('user.deleted'),
  )

  serve(
    app,
    endUserSessions,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      return { status: 200, body: { ended: await store.endSessions(key) } }
    },
    audited('sessions.ended'),
  )
}

/** @throws DomainError `invalid_input` */
function orderOf(by: UserSort, after: string | undefined): UserOrder {
  if (by === 'username') return { by, after: after ?? '' }
  const position = readPosition(after)
  if (position !== undefined) return { by, after: position }
  throw new DomainError('invalid_input', { fields: { after: 'This is the end of no page.' } })
}

function placeOf(sort: UserSort, { username, createdMs, lastUsedMs }: OperatorUserRecord): string {
  if (sort === 'username') return username
  return writePosition({ atMs: sort === 'newest' ? createdMs : (lastUsedMs ?? 0), id: username })
}

function audited(action: string) {
  return {
    audit: ({ params: { username } }: { readonly params: { readonly username: string } }) => ({
      action,
      subject: userSubject(username),
    }),
  }
}
