import type { TokenScope } from '@astropelago/contract/devices'
import type { FastifyRequest } from 'fastify'
import type { Cluster } from '../../cluster/cluster.ts'
import { DomainError } from '../../domain-error.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { CachedTokens } from './cached-tokens.ts'
import { isDeviceToken } from './create-device-token.ts'

interface AuthenticateDeviceOptions {
  readonly tokens: Pick<CachedTokens, 'findDevice' | 'findStored'>
  readonly cluster: Pick<Cluster, 'writer' | 'whenReadAgain'>
  readonly scope: TokenScope
  readonly limitBadTokens: RateLimits['badDeviceToken']
}

/** Finds the device by its bearer token. Every bad token gets the same answer. */
export function authenticateDevice(options: AuthenticateDeviceOptions) {
  const { tokens, cluster, scope, limitBadTokens } = options
  return async (request: FastifyRequest): Promise<DeviceCaller> => {
    const token = bearerToken(request)
    const cached = tokens.findDevice(token, scope)
    if (cached !== undefined) return cached
    // Only agents learn of a wrong scope. For heartbeats a relay token is a bad one, since it may be stolen.
    if (scope === 'relay' && tokens.findDevice(token, 'report') !== undefined) {
      throw new DomainError('token_scope')
    }
    const isWellFormed = isDeviceToken(token)
    try {
      limitBadTokens(request)
    } catch (refusal) {
      // A valid token is never limited, and another server may have created this one just now.
      if (isWellFormed) await cluster.whenReadAgain()
      const read = tokens.findDevice(token, scope)
      if (read !== undefined) return read
      throw refusal
    }
    // Each look-up is a query, so bad tokens are limited first. A single server has all tokens in memory.
    const isStoredElsewhere = isWellFormed && cluster.writer !== undefined
    const stored = isStoredElsewhere ? await tokens.findStored(token, scope) : undefined
    if (stored !== undefined) return stored
    throw new DomainError('invalid_token')
  }
}
