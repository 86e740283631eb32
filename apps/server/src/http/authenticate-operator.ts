import type { FastifyRequest } from 'fastify'
import { consoleName } from '../settings.ts'
import { DomainError } from '../domain-error.ts'
import type { AdminSocket } from './admin-socket.ts'
import type { OperatorCaller, UserCaller } from './callers.ts'

interface AuthenticateOperatorOptions {
  readonly adminSocket: Pick<AdminSocket, 'isFrom'>
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
}

/** Identifies the operator. For everybody else the route does not exist. */
export function authenticateOperator({ adminSocket, findUser }: AuthenticateOperatorOptions) {
  return async (request: FastifyRequest): Promise<OperatorCaller> => {
    if (adminSocket.isFrom(request)) return { name: consoleName, userKey: null }
    const user = await findUser(request)
    if (user?.isOperator !== true) throw new DomainError('not_found')
    return { name: user.username, userKey: user.userKey }
  }
}
