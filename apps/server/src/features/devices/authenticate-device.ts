import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import { isDeviceToken } from './create-device-token.ts'

interface AuthenticateDeviceOptions {
  readonly findDevice: (token: string) => DeviceCaller | undefined
  /** The same, where another server may have made the token. */
  readonly findStored: (token: string) => Promise<DeviceCaller | undefined>
  /** Whether it is a good token for something else, which its holder is told. */
  readonly isOfOtherScope: (token: string) => boolean
  /** Counts a bad token against the address; throws when there were too many. */
  readonly limitBadTokens: (request: FastifyRequest) => void
  /** Resolves when what another server made before is known without asking. */
  readonly whenReadAgain: () => Promise<void>
}

/** Tells the device by its bearer token. Every bad token gets the same answer. */
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
      // A good token is never limited, and another server may have made this one a moment ago.
      if (isWellFormed) await whenReadAgain()
      const heard = findDevice(token)
      if (heard !== undefined) return heard
      throw refusal
    }
    // Asking costs a query: only so many are for nothing.
    const found = isWellFormed ? await findStored(token) : undefined
    if (found !== undefined) return found
    throw new DomainError('invalid_token')
  }
}
