import type { EntryPlace, EntryWrite, KeyValuesStore } from './key-values-store.ts'
import { placeName } from './plan-writes.ts'

const defaultMaxBytes = 64 * 1024 * 1024
/** What an entry costs beside its key and value. */
const entryOverheadBytes = 200

interface RememberValuesOptions {
  /** Values are kept up to this much memory; those read longest ago go first. */
  readonly maxBytes?: number
}

/**
 * A store that answers from memory what was read before, absent keys too: a query costs several times
 * as much as the rest of a request. For a database that this process alone writes.
 */
export function rememberValues(
  store: KeyValuesStore,
  { maxBytes = defaultMaxBytes }: RememberValuesOptions = {},
): KeyValuesStore {
  const remembered = new Map<string, string | null>()
  let bytes = 0
  /** Grows with every write: what was read before one may be older than it. */
  let writes = 0

  const forget = (name: string) => {
    const value = remembered.get(name)
    if (value === undefined) return
    remembered.delete(name)
    bytes -= cost(name, value)
  }
  const remember = (name: string, value: string | null) => {
    forget(name)
    remembered.set(name, value)
    bytes += cost(name, value)
    for (const oldest of remembered.keys()) {
      if (bytes <= maxBytes) return
      forget(oldest)
    }
  }
  const readMissing = async (places: readonly EntryPlace[]) => {
    const writesBefore = writes
    const values = await store.read(places)
    if (writes === writesBefore) {
      for (const [i, place] of places.entries()) remember(placeName(place), values[i] ?? null)
    }
    return values
  }

  return {
    ...store,
    read: async (places) => {
      const known = places.map((place) => remembered.get(placeName(place)))
      const missing = places.filter((_, i) => known[i] === undefined)
      if (missing.length === 0) return known.map((value) => value ?? null)
      const found = (await readMissing(missing)).values()
      return known.map((value) => (value === undefined ? (found.next().value ?? null) : value))
    },
    write: async (entries: readonly EntryWrite[], quota) => {
      writes += 1
      try {
        return await store.write(entries, quota)
      } finally {
        writes += 1
        for (const entry of entries) forget(placeName(entry))
      }
    },
  }
}

function cost(name: string, value: string | null): number {
  return entryOverheadBytes + 2 * (name.length + (value?.length ?? 0))
}
