import { hash } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import type { FastifyRequest } from 'fastify'
import type { Cluster } from '../../cluster/cluster.ts'
import { DomainError } from '../../domain-error.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import { latin1 } from '../../secret-token.ts'
import { Topic } from '../../topic.ts'
import { isDeviceToken } from './device-token.ts'
import type { DeviceTokensStore, StoredToken } from './device-tokens-store.ts'
import { TokenTable } from './token-table.ts'

export type CachedTokens = Awaited<ReturnType<typeof cachedTokens>>

/** Holds all tokens. One of another server is added when that reports it, or when it is used before that. */
export async function cachedTokens(
  store: Pick<DeviceTokensStore, 'loadTokens' | 'readTokens' | 'findToken'>,
) {
  const table = new TokenTable()
  for await (const { tokenKeys, deviceKeys, relayKeys, tokenHashes } of store.loadTokens()) {
    const ofRelay = new Set(relayKeys)
    const digests = latin1(tokenHashes)
    const length = digests.length / tokenKeys.length
    for (const [i, tokenKey] of tokenKeys.entries()) {
      const digest = digests.slice(i * length, (i + 1) * length)
      const scope = ofRelay.has(tokenKey) ? 'relay' : 'report'
      table.add(digest, { tokenKey, deviceKey: deviceKeys[i] ?? 0, scope })
    }
  }
  const ends = new Topic()
  /** Grows each time tokens are forgotten. What was read before that may be outdated. */
  let forgotten = 0

  /** Reads again if tokens were forgotten meanwhile, since answers on two connections may cross. */
  const readCurrent = async <Read>(read: () => Promise<Read>, apply: (read: Read) => void) => {
    for (;;) {
      const forgottenBefore = forgotten
      const result = await read()
      // A token that storage does not have is not asked for again.
      if (result === undefined || forgotten === forgottenBefore) return apply(result)
    }
  }

  const replace = (deviceKeys: readonly number[], tokens: readonly StoredToken[]) => {
    for (const key of deviceKeys) table.deleteDevice(key)
    for (const { tokenHash, ...token } of tokens) table.add(latin1(tokenHash), token)
  }

  return {
    findDevice: (token: string, scope: TokenScope): DeviceCaller | undefined =>
      table.find(hash('sha256', token, 'latin1'), scope),
    /** Also reads storage, for a token that another server may have created. */
    findStored: async (token: string, scope: TokenScope): Promise<DeviceCaller | undefined> => {
      const digest = hash('sha256', token, 'latin1')
      await readCurrent(
        () => store.findToken(Buffer.from(digest, 'latin1')),
        (found) => found && table.add(digest, found),
      )
      return table.find(digest, scope)
    },
    isHeld: (caller: DeviceCaller): boolean => table.has(caller),
    /** Call it when tokens of these devices were created or revoked, one call after the other. */
    relearn: async (deviceKeys: readonly number[]): Promise<void> => {
      forgotten += 1
      try {
        // Replaced in one turn: a valid token that is missing for a moment would disconnect an agent.
        await readCurrent(
          () => store.readTokens(deviceKeys),
          (tokens) => replace(deviceKeys, tokens),
        )
      } catch (error) {
        replace(deviceKeys, [])
        throw error
      }
      ends.publish()
    },
    forgetDevice: (deviceKey: number): void => {
      forgotten += 1
      table.deleteDevice(deviceKey)
      ends.publish()
    },
    /** Calls back when tokens may have ended, here or on another server. `isHeld` is up to date by then. */
    onEnd: ends.subscribe,
  }
}

/** Finds the device by its bearer token. Every bad token gets the same answer. */
export function authenticateDevice({
  tokens,
  cluster,
  scope,
  limitBadTokens,
}: {
  readonly tokens: Pick<CachedTokens, 'findDevice' | 'findStored'>
  readonly cluster: Pick<Cluster, 'writer' | 'whenReadAgain'>
  readonly scope: TokenScope
  readonly limitBadTokens: RateLimits['badDeviceToken']
}) {
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
