import { createKeyValues } from './key-values.ts'

/** One key as all parts of a page share it. */
interface StoredEntry {
  /** Undefined until it is known, and after it was removed. */
  readonly read: () => unknown
  readonly set: (value: unknown) => void
  readonly remove: () => void
  /** Loads the entry for its first subscriber, writing `initial` where it is absent. */
  readonly subscribe: (listener: () => void, initial: unknown) => () => void
}

const entries = new Map<string, StoredEntry>()

/** The page's one entry for a key. */
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
    // One after the other, so that the last change is the one that stays. A failed one keeps the
    // value on the page; there is nobody to tell.
    lastWrite = lastWrite.then(write).catch(() => undefined)
  }
  const load = async (initial: unknown) => {
    try {
      const stored = await keyValues.getOrSet(key, initial)
      // What was changed meanwhile is newer than what was asked for before.
      if (!isChangedHere) show(stored)
    } catch {
      // Asked for again by the next part of the page that wants it.
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
