import { LRUCache } from 'lru-cache'
import type { EntryId, KeyValuesStore } from './key-values-store.ts'
import { entryName } from './plan-writes.ts'

const defaultMaxBytes = 64 * 1024 * 1024
/** What an entry costs besides its key and value. */
const entryOverheadBytes = 200

interface CachedValuesOptions {
  /** Values are kept up to this much memory. Those read longest ago go first. */
  readonly maxBytes?: number
}

interface CachedValue {
  /** Null if there is no entry. */
  readonly value: string | null
}

export interface CachedValues {
  /** The store to use from here on. Its writes clear the cache before anybody learns about them. */
  readonly store: KeyValuesStore
  /** The entry in memory: null if there is none, undefined if it has to be read. */
  readonly knownValue: (id: EntryId) => string | null | undefined
  /** Call it when another server has written these entries. */
  readonly forget: (ids: readonly EntryId[]) => void
}

/**
 * Answers from memory what was read before, including absent keys, because a query costs several times as
 * much as the rest of a request. Entries that another server writes are dropped here.
 */
export function cachedValues(
  store: KeyValuesStore,
  { maxBytes = defaultMaxBytes }: CachedValuesOptions = {},
): CachedValues {
  const cache = new LRUCache<string, CachedValue>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, name) =>
      entryOverheadBytes + 2 * (name.length + (value?.length ?? 0)),
  })
  /** Grows with every write. What was read before a write may be outdated. */
  let writes = 0

  const readMissing = async (ids: readonly EntryId[]) => {
    const writesBefore = writes
    const values = await store.read(ids)
    if (writes === writesBefore) {
      for (const [i, id] of ids.entries()) cache.set(entryName(id), { value: values[i] ?? null })
    }
    return values
  }

  return {
    knownValue: (id) => cache.get(entryName(id))?.value,
    forget: (ids) => {
      writes += 1
      for (const id of ids) cache.delete(entryName(id))
    },
    store: {
      ...store,
      read: async (ids) => {
        const known = ids.map((id) => cache.get(entryName(id)))
        const missing = ids.filter((_, i) => known[i] === undefined)
        const found = missing.length === 0 ? [] : await readMissing(missing)
        const next = found.values()
        return known.map(
          (cached) => (cached === undefined ? next.next().value : cached.value) ?? null,
        )
      },
      write: async (entries, quota) => {
        writes += 1
        try {
          return await store.write(entries, quota)
        } finally {
          writes += 1
          for (const entry of entries) cache.delete(entryName(entry))
        }
      },
    },
  }
}
