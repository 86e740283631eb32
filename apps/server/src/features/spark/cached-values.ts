import { LRUCache } from 'lru-cache'
import type { EntryId, KeyValuesStore } from './key-values-store.ts'
import { entryName } from './plan-writes.ts'

const entryOverheadBytes = 200

interface CachedValue {
  readonly userKey: number
  readonly value: string | null
}

export type CachedValues = ReturnType<typeof cachedValues>

/** Answers what was read before, absent keys too. A query costs several times the rest of a request. */
export function cachedValues(store: KeyValuesStore, maxBytes = 64 * 1024 * 1024) {
  const namesOf = new Map<number, Set<string>>()
  const cache = new LRUCache<string, CachedValue>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, name) =>
      entryOverheadBytes + 2 * (name.length + (value?.length ?? 0)),
    dispose: ({ userKey }, name) => {
      const names = namesOf.get(userKey)
      names?.delete(name)
      if (names?.size === 0) namesOf.delete(userKey)
    },
  })
  /** Grows with every change. What was read before a change may be outdated. */
  let changes = 0

  const add = ({ userKey, ...id }: EntryId, value: string | null) => {
    const name = entryName({ userKey, ...id })
    cache.set(name, { userKey, value })
    // A value may be too large for all of the memory.
    if (cache.has(name)) namesOf.set(userKey, (namesOf.get(userKey) ?? new Set()).add(name))
  }

  const readMissing = async (ids: readonly EntryId[]) => {
    const changesBefore = changes
    const values = await store.read(ids)
    if (changes === changesBefore) for (const [i, id] of ids.entries()) add(id, values[i] ?? null)
    return values
  }

  return {
    store: {
      ...store,
      read: async (ids) => {
        const cached = ids.map((id) => cache.get(entryName(id)))
        const missing = ids.filter((_, i) => cached[i] === undefined)
        const found = missing.length === 0 ? [] : await readMissing(missing)
        const next = found.values()
        return cached.map((one) => (one === undefined ? next.next().value : one.value) ?? null)
      },
    } satisfies KeyValuesStore,
    /** The entry in memory: null if there is none, undefined if it has to be read. */
    cachedValue: (id: EntryId) => cache.get(entryName(id))?.value,
    /** Call it when entries of these users have changed, before the change is answered. */
    forgetUsers: (userKeys: readonly number[]) => {
      changes += 1
      for (const userKey of userKeys) {
        for (const name of namesOf.get(userKey) ?? []) cache.delete(name)
      }
    },
  }
}
