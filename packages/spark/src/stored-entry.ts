import { createKeyValues } from './key-values.ts'

/** The state of one key, shared by all parts of a page. */
interface StoredEntry {
  /** Undefined until loaded, and after removal. */
  readonly read: () => unknown
  readonly set: (value: unknown) => void
  readonly remove: () => void
  /** Loads the entry for the first subscriber, and writes `initial` if the key is absent. */
  readonly subscribe: (listener: () => void, initial: unknown) => () => void
}

const entries = new Map<string, StoredEntry>()

/** The page's only entry for a key. */
export function storedEntry(key: string, collection: string | undefined): StoredEntry {
  const name = JSON.stringify([collection, key])
  const known = entries.get(name)
  if (known !== undefined) return known
  const entry = createEntry(key, collection)
  entries.set(name, entry)
  return entry
}

function createEntry(key: string, collection: string | undefined): StoredEntry {
  const keyValues = createKeyValues(collection === undefined ? {} : { collection })
  const listeners = new Set<() => void>()
  let value: unknown
  let isLoadAsked = false
  let isChangedHere = false
  let lastWrite: Promise<void> = Promise.resolve()

  const show = (next: unknown) => {
    value = next
    for (const listener of listeners) listener()
  }
  const change = (next: unknown, write: () => Promise<void>) => {
    isChangedHere = true
    show(next)
    // Writes run one at a time, so that the last change is the one that stays. After a failure the page
    // keeps the value, because there is nobody to report it to.
    lastWrite = lastWrite.then(write).catch(() => undefined)
  }
  const load = async (initial: unknown) => {
    try {
      const stored = await keyValues.getOrSet(key, initial)
      // A change made in the meantime is newer than the loaded value.
      if (!isChangedHere) show(stored)
    } catch {
      // The next subscriber loads it again.
      isLoadAsked = false
    }
  }

  return {
    read: () => value,
    set: (next) => change(next, () => keyValues.set(key, next)),
    remove: () => change(undefined, () => keyValues.delete(key)),
    subscribe: (listener, initial) => {
      listeners.add(listener)
      if (!isLoadAsked) {
        isLoadAsked = true
        void load(initial)
      }
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
