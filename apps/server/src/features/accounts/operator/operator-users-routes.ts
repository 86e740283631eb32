import { listUsers, type OperatorUser } from '@astropelago/contract/operator'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../../http/serve-route.ts'
import { foldUsername } from '../fold-username.ts'
import type { IsOperator } from './is-operator.ts'
import type { OperatorUserRecord, OperatorUsersStore } from './operator-users-store.ts'

interface OperatorUsersRoutesOptions {
  readonly serve: Serve
  readonly operatorUsers: OperatorUsersStore
  readonly isOperator: IsOperator
}

export async function operatorUsersRoutes(
  app: FastifyInstance,
  { serve, operatorUsers, isOperator }: OperatorUsersRoutesOptions,
) {
  const present = (user: OperatorUserRecord) => presentOperatorUser(user, isOperator)

  serve(app, listUsers, async ({ query: { search, after, limit } }) => {
    // One more than is shown tells whether there are more.
    const found = await operatorUsers.list({
      search,
      after: after === undefined ? undefined : foldUsername(after),
      limit: limit + 1,
    })
    const users = found.slice(0, limit).map(present)
    return { status: 200, body: { users, hasMore: found.length > limit } }
  })
}

function presentOperatorUser(user: OperatorUserRecord, isOperator: IsOperator): OperatorUser {
  return {
    username: user.username,
    name: user.name,
    createdAt: new Date(user.createdMs).toISOString(),
    isDemo: user.isDemo,
    isOperator: isOperator(user),
    disabledAt: toIso(user.disabledMs),
    deviceCount: user.deviceCount,
    sessionCount: user.sessionCount,
    lastUsedAt: toIso(user.lastUsedMs),
  }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
