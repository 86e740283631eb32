import { hash } from 'node:crypto'
import type { TokenScope } from '@astropelago/contract/devices'
import type { DeviceCaller } from '../../http/callers.ts'
import { Topic } from '../../topic.ts'
import type { DevicesStore, StoredToken } from './devices-store.ts'
import { TokenTable } from './token-table.ts'

export interface CachedTokens {
  /** The store to use from here on: what it inserts is known at once. */
  readonly store: DevicesStore
  /** Whom a token as it was sent stands for, where it is of that scope. */
  readonly findDevice: (token: string, scope: TokenScope) => DeviceCaller | undefined
  /** The same, asking storage for what another server may have made. */
  readonly findStored: (token: string, scope: TokenScope) => Promise<DeviceCaller | undefined>
  /** Whether the token by which a device was found is still one. */
  readonly isHeld: (caller: DeviceCaller) => boolean
  /** To be called when storage has a token no longer, before anybody is told. */
  readonly forgetToken: (tokenKey: number) => void
  /** The same for all tokens of a device. */
  readonly forgetDevice: (deviceKey: number) => void
  /** To be called when another server made or revoked tokens of these devices. */
  readonly relearn: (deviceKeys: readonly number[]) => Promise<void>
  /** Called when tokens may have ended, here or on another server, once `isHeld` knows which. */
  readonly onEnd: (listener: () => void) => void
}

/** Holds all tokens in memory. What another server makes is learned from it, or when it is sent before that. */
export async function cachedTokens(store: DevicesStore): Promise<CachedTokens> {
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

  /** Grows with everything that is forgotten: what was read before may be gone. */
  let forgotten = 0
  /** By storage, whose answers of two connections may overtake one another. */
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
        // In one turn: a good token is held all the time, or its device's agent would be sent away.
        replace(deviceKeys, tokens)
        break
      }
    } catch (error) {
      // Any of them may have ended.
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
    forgetToken: (tokenKey) => {
      forgotten += 1
      table.delete(tokenKey)
      ends.publish()
    },
    forgetDevice: (deviceKey) => {
      forgotten += 1
      table.deleteDevice(deviceKey)
      ends.publish()
    },
    store: {
      ...store,
      insertToken: async (token, limit) => {
        const outcome = await store.insertToken(token, limit)
        // Asked for again: it may be deleted already, with its device.
        await learn(token.tokenHash)
        return outcome
      },
      importDevices: async (devices, limit) => {
        const outcome = await store.importDevices(devices, limit)
        if (typeof outcome !== 'string' && devices.tokens.length > 0) {
          const made = new Set(devices.created.map(({ id }) => id))
          await relearn(outcome.filter(({ id }) => made.has(id)).map(({ key }) => key))
        }
        return outcome
      },
    },
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
