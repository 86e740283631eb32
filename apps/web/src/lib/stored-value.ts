import * as v from 'valibot'

type Keep = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface StoredValue<T> {
  /** Undefined if nothing usable is stored. */
  read(): T | undefined
  /** False if storage is full or blocked. */
  write(value: T): boolean
  clear(): boolean
}

/** One entry of localStorage, or of the storage that `keep` returns. Never throws. */
export function storedValue<T>(
  key: string,
  schema: v.GenericSchema<unknown, T>,
  // A function, because even reading window.localStorage throws if storage is blocked.
  keep: () => Keep = () => window.localStorage,
): StoredValue<T> {
  return {
    read() {
      try {
        const text = keep().getItem(key)
        if (text === null) return undefined
        const parsed = v.safeParse(schema, JSON.parse(text))
        return parsed.success ? parsed.output : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      return succeeds(() => keep().setItem(key, JSON.stringify(value)))
    },
    clear() {
      return succeeds(() => keep().removeItem(key))
    },
  }
}

function succeeds(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
