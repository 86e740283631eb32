import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { DeviceCaller } from '../../http/callers.ts'

interface AuthenticateDeviceOptions {
  readonly findDevice: (token: string) => DeviceCaller | undefined
  /** Counts a bad token against the address; throws when there were too many. */
  readonly limitBadTokens: (request: FastifyRequest) => void
}

/** Tells the device by its bearer token. Every bad token gets the same answer. */
export function authenticateDevice({ findDevice, limitBadTokens }: AuthenticateDeviceOptions) {
  return async (request: FastifyRequest): Promise<DeviceCaller> => {
    const found = findDevice(bearerToken(request.headers.authorization))
    if (found !== undefined) return found
    limitBadTokens(request)
    throw new DomainError('invalid_token')
  }
}

function bearerToken(authorization: string | undefined): string {
  const [scheme, token] = authorization?.split(/ +/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? '') : ''
}
