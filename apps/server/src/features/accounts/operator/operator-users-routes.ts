import { brokenCredentialRule } from '@astropelago/contract/accounts'
import { removeUserAvatar } from '@astropelago/contract/avatars'
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  getUser,
  listUsers,
  type UserSort,
} from '@astropelago/contract/operator'
import type { FastifyInstance } from 'fastify'
import { userSubject } from '../../../audit-log.ts'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { readPosition, writePosition } from '../../../page-position.ts'
import type { AccountsStore } from '../accounts-store.ts'
import { insertUser } from '../insert-user.ts'
import type { IsOperator } from './is-operator.ts'
import type { OperatorUserRecord, OperatorUsersStore, UserOrder } from './operator-users-store.ts'
import { presentOperatorUser } from './present-operator-user.ts'

interface OperatorUsersRoutesOptions {
  readonly serve: Serve
  readonly store: AccountsStore
  readonly operatorUsers: OperatorUsersStore
  readonly clock: Clock
  readonly isOperator: IsOperator
  /** The folded usernames from OPERATORS. */
  readonly operators: ReadonlySet<string>
}

export async function operatorUsersRoutes(
  app: FastifyInstance,
  options: OperatorUsersRoutesOptions,
) {
  const { serve, store, operatorUsers, clock, isOperator, operators } = options

  const read = async (username: string): Promise<OperatorUserRecord> => {
    const user = await operatorUsers.find(username)
    if (user === undefined) throw new DomainError('not_found')
    return user
  }
  const present = (user: OperatorUserRecord) => presentOperatorUser(user, isOperator)
  serve(app, listUsers, async ({ query: { limit, sort, after, search, only } }) => {
    const order = orderOf(sort, after)
    // One more than shown tells whether there is a next page.
    const found = await operatorUsers.list({ search, only, operators, order, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = found.length > limit && last !== undefined
    const next = hasMore ? placeOf(sort, last) : null
    return { status: 200, body: { users: shown.map(present), hasMore, next } }
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
      await insertUser(store, {
        username,
        passwordHash: null,
        isDemo: false,
        createdMs: clock(),
        expiresMs: null,
      })
      return { status: 201, body: present(await read(username)) }
    },
    {
      audit: ({ body: { username } }) => ({
        action: 'user.created',
        subject: userSubject(username.trim().slice(0, 64)),
      }),
    },
  )

  serve(
    app,
    disableUser,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      await store.setDisabled(key, clock())
      return { status: 200, body: present(await read(username)) }
    },
    audited('user.disabled'),
  )

  serve(
    app,
    enableUser,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      await store.setDisabled(key, null)
      return { status: 200, body: present(await read(username)) }
    },
    audited('user.enabled'),
  )

  serve(
    app,
    deleteUser,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      const deviceCount = await store.deleteUser(key)
      return { status: 200, body: { deviceCount } }
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

  serve(
    app,
    removeUserAvatar,
    async ({ params: { username } }) => {
      const { key } = await read(username)
      await store.setAvatar(key, null)
      return { status: 200, body: present(await read(username)) }
    },
    audited('avatar.removed'),
  )
}

/** @throws DomainError `invalid_input` */
function orderOf(by: UserSort, after: string | undefined): UserOrder {
  if (by === 'username') return { by, after: after ?? '' }
  const position = readPosition(after)
  if (position !== undefined) return { by, after: position }
  throw new DomainError('invalid_input', { fields: { after: 'This is the end of no page.' } })
}

/** The position from which the next page starts. */
function placeOf(sort: UserSort, { username, createdMs, lastUsedMs }: OperatorUserRecord): string {
  if (sort === 'username') return username
  return writePosition({ atMs: sort === 'newest' ? createdMs : (lastUsedMs ?? 0), id: username })
}

/** An operator's action on a user, for the audit log. */
function audited(action: string) {
  return {
    audit: ({ params: { username } }: { readonly params: { readonly username: string } }) => ({
      action,
      subject: userSubject(username),
    }),
  }
}
