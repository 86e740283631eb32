import { hash } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import type { DeviceCaller } from '../../http/callers.ts'
import { Topic } from '../../topic.ts'
import type { DevicesStore, StoredToken } from './devices-store.ts'
import { TokenTable } from './token-table.ts'

export interface CachedTokens {
  /** The device of a raw token of this scope. */
  readonly findDevice: (token: string, scope: TokenScope) => DeviceCaller | undefined
  /** Also asks storage, for tokens that another server may have created. */
  readonly findStored: (token: string, scope: TokenScope) => Promise<DeviceCaller | undefined>
  /** Whether the token that identified this device is still valid. */
  readonly isHeld: (caller: DeviceCaller) => boolean
  /** Call it once storage no longer has the device. */
  readonly forgetDevice: (deviceKey: number) => void
  /** Call it when tokens of these devices were created or revoked, one call after the other. */
  readonly relearn: (deviceKeys: readonly number[]) => Promise<void>
  /** Calls back when tokens may have ended, here or on another server. `isHeld` is up to date by then. */
  readonly onEnd: (listener: () => void) => void
}

/**
 * Holds all tokens in memory. A token of another server is added when that server reports it, or when the
 * token is used before that.
 */
export async function cachedTokens(
  store: Pick<DevicesStore, 'loadTokens' | 'readTokens' | 'findToken'>,
): Promise<CachedTokens> {
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
  /** Reads from storage, because answers on two connections may overtake each other. */
  const learn = async (tokenHash: Uint8Array) => {
    for (;;) {
      const forgottenBefore = forgotten
      const found = await store.findToken(tokenHash)
      if (found === undefined) return
      if (forgotten !== forgottenBefore) continue
      table.add(latin1(tokenHash), found)
      return
    }
  }

  const replace = (deviceKeys: readonly number[], tokens: readonly StoredToken[]) => {
    for (const key of deviceKeys) table.deleteDevice(key)
    for (const { tokenHash, ...token } of tokens) table.add(latin1(tokenHash), token)
  }

  const relearn = async (deviceKeys: readonly number[]) => {
    forgotten += 1
    try {
      for (;;) {
        const forgottenBefore = forgotten
        const tokens = await store.readTokens(deviceKeys)
        if (forgotten !== forgottenBefore) continue
        // In one turn, so that a valid token is never missing, which would disconnect its device's
        // agent.
        replace(deviceKeys, tokens)
        break
      }
    } catch (error) {
      // Drop all of them, since any may have been revoked.
      replace(deviceKeys, [])
      throw error
    }
    ends.publish()
  }

  return {
    findDevice: (token, scope) => table.find(hash('sha256', token, 'latin1'), scope),
    findStored: async (token, scope) => {
      const digest = hash('sha256', token, 'latin1')
      await learn(Buffer.from(digest, 'latin1'))
      return table.find(digest, scope)
    },
    isHeld: (caller) => table.has(caller),
    relearn,
    onEnd: ends.subscribe,
    forgetDevice: (deviceKey) => {
      forgotten += 1
      table.deleteDevice(deviceKey)
      ends.publish()
    },
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
