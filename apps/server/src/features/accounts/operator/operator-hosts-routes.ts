import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import type { FastifyInstance } from 'fastify'
import { userSubject } from '../../../audit-log.ts'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { IsOperator } from './is-operator.ts'
import type { OperatorUsersStore } from './operator-users-store.ts'
import { presentOperatorUser } from './present-operator-user.ts'

interface OperatorHostsRoutesOptions {
  readonly serve: Serve
  readonly operatorUsers: Pick<OperatorUsersStore, 'find' | 'setRelayStopped' | 'setTrusted'>
  readonly clock: Clock
  readonly isOperator: IsOperator
}

/** Operators' decisions about users who host islands over the relay. */
export async function operatorHostsRoutes(
  app: FastifyInstance,
  { serve, operatorUsers, clock, isOperator }: OperatorHostsRoutesOptions,
) {
  const change = async (username: string, set: (userKey: number) => Promise<void>) => {
    const user = await operatorUsers.find(username)
    if (user === undefined) throw new DomainError('not_found')
    await set(user.key)
    const changed = await operatorUsers.find(username)
    if (changed === undefined) throw new DomainError('not_found')
    return { status: 200, body: presentOperatorUser(changed, isOperator) } as const
  }

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
    startUserRelay,
    ({ params: { username } }) =>
      change(username, (key) => operatorUsers.setRelayStopped(key, null)),
    audited('relay.started'),
  )

  serve(
    app,
    trustHost,
    ({ params: { username } }) => change(username, (key) => operatorUsers.setTrusted(key, clock())),
    audited('host.trusted'),
  )

  serve(
    app,
    distrustHost,
    ({ params: { username } }) => change(username, (key) => operatorUsers.setTrusted(key, null)),
    audited('host.distrusted'),
  )
}

function audited(action: string) {
  return {
    audit: ({ params: { username } }: { readonly params: { readonly username: string } }) => ({
      action,
      subject: userSubject(username),
    }),
  }
}
