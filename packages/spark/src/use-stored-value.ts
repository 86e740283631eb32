import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import { storedEntry } from './stored-entry.ts'

interface StoredValueOptions<T> {
  /** A separate set of keys. Defaults to the user's ordinary keys. */
  readonly collection?: string
  /** Validates the stored value. Undefined means the initial value. Without it, every value is accepted. */
  readonly parse?: (value: unknown) => T | undefined
}

type StoredValue<T> = readonly [
  value: T,
  set: (next: T | ((current: T) => T)) => void,
  remove: () => void,
]

/**
 * A value of the key-value store as React state. Returns `initial` until loaded, and writes it if the key
 * is absent. Changes show at once and are stored in order. A change that can't be stored, because nobody is
 * signed in or the server is down, lasts until the user leaves the page.
 */
export function useStoredValue<T>(
  key: string,
  initial: T,
  options?: StoredValueOptions<T>,
): StoredValue<T>
export function useStoredValue(
  key: string,
  initial: unknown,
  { collection, parse }: StoredValueOptions<unknown> = {},
): StoredValue<unknown> {
  // Keeps the first one, because callers pass a new object on each render.
  const [first] = useState(initial)
  const entry = storedEntry(key, collection)
  const judge = useCallback(
    (stored: unknown) => {
      const value = parse === undefined || stored === undefined ? stored : parse(stored)
      return value === undefined ? first : value
    },
    [parse, first],
  )
  const subscribe = useCallback(
    (listener: () => void) => entry.subscribe(listener, first),
    [entry, first],
  )
  const stored = useSyncExternalStore(subscribe, entry.read, entry.read)
  const value = useMemo(() => judge(stored), [judge, stored])
  const set = useCallback(
    (next: unknown) => {
      const before = judge(entry.read())
      const after: unknown = typeof next === 'function' ? next(before) : next
      if (!Object.is(after, before)) entry.set(after)
    },
    [entry, judge],
  )
  return [value, set, entry.remove]
}
