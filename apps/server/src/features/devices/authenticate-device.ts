import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import { isDeviceToken } from './create-device-token.ts'

interface AuthenticateDeviceOptions {
  readonly findDevice: (token: string) => DeviceCaller | undefined
  /** The same, where another server may have made the token. */
  readonly findStored: (token: string) => Promise<DeviceCaller | undefined>
  /** Counts a bad token against the address; throws when there were too many. */
  readonly limitBadTokens: (request: FastifyRequest) => void
}

/** Tells the device by its bearer token. Every bad token gets the same answer. */
export function authenticateDevice({
  findDevice,
  findStored,
  limitBadTokens,
}: AuthenticateDeviceOptions) {
  return async (request: FastifyRequest): Promise<DeviceCaller> => {
    const token = bearerToken(request.headers.authorization)
    const known = findDevice(token)
    if (known !== undefined) return known
    // Counted first, since asking costs a query: it is for what another server made a moment ago.
    limitBadTokens(request)
    const found = isDeviceToken(token) ? await findStored(token) : undefined
    if (found !== undefined) return found
    throw new DomainError('invalid_token')
  }
}

function bearerToken(authorization: string | undefined): string {
  const [scheme, token] = authorization?.split(/ +/) ?? []
  return scheme?.toLowerCase() === 'bearer' ? (token ?? '') : ''
}
