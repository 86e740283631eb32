import * as v from 'valibot'

type ValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface StoredValue<T> {
  /** Undefined if nothing usable is stored. */
  read(): T | undefined
  /** False if storage is full or blocked. */
  write(value: T): boolean
  clear(): boolean
}

/** One entry of localStorage, or of the storage that `storage` returns. Never throws. */
export function storedValue<T>(
  key: string,
  schema: v.GenericSchema<unknown, T>,
  // A function, because even reading window.localStorage throws if storage is blocked.
  storage: () => ValueStorage = () => window.localStorage,
): StoredValue<T> {
  return {
    read() {
      try {
        const text = storage().getItem(key)
        if (text === null) return undefined
        const parsed = v.safeParse(schema, JSON.parse(text))
        return parsed.success ? parsed.output : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      return succeeds(() => storage().setItem(key, JSON.stringify(value)))
    },
    clear() {
      return succeeds(() => storage().removeItem(key))
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
