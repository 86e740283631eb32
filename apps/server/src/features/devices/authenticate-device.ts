import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import { isDeviceToken } from './create-device-token.ts'

interface AuthenticateDeviceOptions {
  readonly findDevice: (token: string) => DeviceCaller | undefined
  /** Also asks storage, for tokens that another server may have created. */
  readonly findStored: (token: string) => Promise<DeviceCaller | undefined>
  /** Whether it is a valid token of another scope. Its holder gets an error that says so. */
  readonly isOfOtherScope: (token: string) => boolean
  /** Counts a bad token against the address. Throws if there were too many. */
  readonly limitBadTokens: (request: FastifyRequest) => void
  /** Resolves when memory has everything that other servers have created before this call. */
  readonly whenReadAgain: () => Promise<void>
}

/** Finds the device by its bearer token. Every bad token gets the same answer. */
export function authenticateDevice({
  findDevice,
  findStored,
  isOfOtherScope,
  limitBadTokens,
  whenReadAgain,
}: AuthenticateDeviceOptions) {
  return async (request: FastifyRequest): Promise<DeviceCaller> => {
    const token = bearerToken(request)
    const known = findDevice(token)
    if (known !== undefined) return known
    if (isOfOtherScope(token)) throw new DomainError('token_scope')
    const isWellFormed = isDeviceToken(token)
    try {
      limitBadTokens(request)
    } catch (refusal) {
      // A valid token is never limited, and another server may have created this one just now.
      if (isWellFormed) await whenReadAgain()
      const heard = findDevice(token)
      if (heard !== undefined) return heard
      throw refusal
    }
    // Each look-up is a query, so bad tokens are limited first.
    const found = isWellFormed ? await findStored(token) : undefined
    if (found !== undefined) return found
    throw new DomainError('invalid_token')
  }
}
