import { CheckTarget } from '@astropelago/contract/checks'
import * as v from 'valibot'
import { latin1, hashToken } from '../../../secret-token.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { CheckEvent, CheckRecord, ChecksStore, FoundCheck } from '../checks-store.ts'

type MemoryStore = Pick<ChecksStore, 'read' | 'loadAll' | 'record' | 'requestLook' | 'findByPush'>

/** The part of a store that looks and reports need, for tests of those alone. */
export function memoryChecks() {
  const checks = new Map<number, CheckRecord>()
  const keys = new Map<string, number>()
  const events: (CheckEvent & { readonly checkKey: number })[] = []
  const groups: (readonly FoundCheck[])[] = []
  const requests: ((keys: readonly number[]) => void)[] = []
  const state: { isRefusing: boolean; beforeRecord?: (() => Promise<void>) | undefined } = {
    isRefusing: false,
  }
  const refuse = () => {
    if (state.isRefusing) throw new StorageUnavailable('The disk is gone.')
  }
  const store: MemoryStore = {
    read: async (wanted) => {
      refuse()
      return wanted.flatMap((key) => checks.get(key) ?? [])
    },
    loadAll: async function* () {
      refuse()
      yield [...checks.values()]
    },
    findByPush: async (hash) => {
      refuse()
      return checks.get(keys.get(latin1(hash)) ?? -1)
    },
    record: async (found) => {
      refuse()
      const before = state.beforeRecord
      state.beforeRecord = undefined
      await before?.()
      if (found.length === 0) return []
      groups.push(found)
      const skipped: FoundCheck[] = []
      for (const one of found) {
        const { checkKey, knownLookedMs } = one
        const check = checks.get(checkKey)
        if (check === undefined) continue
        if (knownLookedMs !== undefined && knownLookedMs !== (check.state?.lookedMs ?? null)) {
          skipped.push(one)
          continue
        }
        checks.set(checkKey, { ...check, state: one.state })
        if (one.event !== null) events.push({ ...one.event, checkKey })
      }
      return skipped
    },
    requestLook: async (key) => {
      refuse()
      for (const look of requests) look([key])
    },
  }
  return {
    store,
    groups,
    beforeNextRecord: (run: () => Promise<void>) => void (state.beforeRecord = run),
    onRequestedLook: (look: (keys: readonly number[]) => void) => void requests.push(look),
    eventsOf: (key: number) =>
      events.flatMap(({ checkKey, ...event }) => (checkKey === key ? [event] : [])),
    get: (key: number): CheckRecord => {
      const check = checks.get(key)
      if (check === undefined) throw new Error(`There is no check ${key}.`)
      return check
    },
    refuse: (isRefusing: boolean) => {
      state.isRefusing = isRefusing
    },
    delete: (key: number) => checks.delete(key),
    put: (
      target: v.InferInput<typeof CheckTarget>,
      changes: Partial<CheckRecord> & { readonly secret?: string } = {},
    ): CheckRecord => {
      const { secret, key = checks.size + 1, ...rest } = changes
      const check = {
        key,
        id: `check-${key}`,
        userKey: 1,
        name: `Check ${key}`,
        target: v.parse(CheckTarget, target),
        publicMs: null,
        isPaused: false,
        island: null,
        device: null,
        createdMs: 0,
        hidden: null,
        state: null,
        ...rest,
      }
      checks.set(key, check)
      if (secret !== undefined) keys.set(latin1(hashToken(secret)), key)
      return check
    },
  }
}
