import type { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../domain-error.ts'
import { consoleName } from '../settings.ts'
import type { AdminSocket } from './admin-socket.ts'

export interface UserCaller {
  readonly userKey: number
  readonly username: string
  readonly name: string | null
  readonly avatar: string | null
  readonly hue: number | null
  readonly isNamePublic: boolean
  readonly isDemo: boolean
  /** Whether OPERATORS names the user. */
  readonly isOperator: boolean
  readonly apiKeyId?: string
}

export interface DeviceCaller {
  readonly deviceKey: number
  readonly tokenKey: number
}

export interface OperatorCaller {
  readonly name: string
  readonly userKey: number | null
}

/** Identifies the caller, or throws the DomainError that refuses the call. */
export interface Authenticate {
  readonly user: (request: FastifyRequest) => Promise<UserCaller>
  readonly device: (request: FastifyRequest) => Promise<DeviceCaller>
  readonly agent: (request: FastifyRequest) => Promise<DeviceCaller>
  readonly operator: (request: FastifyRequest) => Promise<OperatorCaller>
  /** The user, if `isByApiKey` says so. */
  readonly apiKey: (request: FastifyRequest, scope: ApiKeyScope) => Promise<UserCaller>
}

/** Identifies the operator. For everybody else the route does not exist. */
export function authenticateOperator({
  adminSocket,
  findUser,
}: {
  readonly adminSocket: Pick<AdminSocket, 'isFrom'>
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
}) {
  return async (request: FastifyRequest): Promise<OperatorCaller> => {
    if (adminSocket.isFrom(request)) return { name: consoleName, userKey: null }
    const user = await findUser(request)
    if (user?.isOperator !== true) throw new DomainError('not_found')
    return { name: user.username, userKey: user.userKey }
  }
}
