import { track } from './analytics.ts'
import { sendWrite } from './send-write.ts'

/** The signed-in user's own key-value store: any JSON under keys of 1 to 512 bytes. */
export interface KeyValues {
  readonly keys: () => Promise<string[]>
  /** Undefined if the key is absent. */
  readonly get: <T = unknown>(key: string) => Promise<T | undefined>
  readonly set: (key: string, value: unknown) => Promise<void>
  /** Succeeds whether or not the key exists. */
  readonly delete: (key: string) => Promise<void>
}

/** Adds the write of a default. Pages use it through `useStoredValue`. */
export interface KeyValuesWithDefaults extends KeyValues {
  /** Sets the key only if it is absent, and resolves with its value afterwards. */
  readonly getOrSet: <T = unknown>(key: string, initial: T) => Promise<T>
}

interface KeyValuesOptions {
  /** A separate set of keys. Defaults to the user's ordinary keys. */
  readonly collection?: string
}

export function createKeyValues({ collection }: KeyValuesOptions = {}): KeyValuesWithDefaults {
  const search = collection === undefined ? '' : `?${new URLSearchParams({ collection })}`

  const entryUrl = (key: string) => {
    // Browsers normalise these away in a path.
    if (key === '' || key === '.' || key === '..') {
      throw new TypeError(`'${key}' can't be a key`)
    }
    return `/_spark/kv/${encodeURIComponent(key)}${search}`
  }

  const write = async (key: string, value: unknown, isDefault: boolean) => {
    const body = JSON.stringify(value)
    if (body === undefined) throw new TypeError('A value has to be JSON')
    return await sendWrite(entryUrl(key), {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'X-Spark-Initial': String(isDefault) },
      body,
    })
  }

  async function get<T>(key: string): Promise<T | undefined>
  async function get(key: string): Promise<unknown> {
    const response = await fetch(entryUrl(key), { headers: { 'Content-Type': 'text/plain' } })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`Failed to fetch KV key: ${response.statusText}`)
    return await parsed(response, 'Failed to parse KV key response')
  }

  return {
    keys: async () => {
      const response = await fetch(`/_spark/kv${search}`)
      if (!response.ok) throw new Error(`Failed to fetch KV keys: ${response.statusText}`)
      const keys = await parsed(response, 'Failed to parse KV keys response')
      if (!Array.isArray(keys)) throw new Error('KV keys response is not an array')
      return keys.map(String)
    },

    get,

    set: async (key, value) => {
      track('kv.set')
      const response = await write(key, value, false)
      if (!response.ok) throw new Error(`Failed to set key: ${response.statusText}`)
    },

    delete: async (key) => {
      // The caller needs no result.
      await fetch(entryUrl(key), { method: 'DELETE' })
    },

    getOrSet: async <T>(key: string, initial: T): Promise<T> => {
      // Writes first, because browsers log a 404 as an error. An existing value stays.
      const response = await write(key, initial, true)
      if (!response.ok) {
        throw new Error(`Failed to set default value for key: ${response.statusText}`)
      }
      const stored = await get<T>(key)
      return stored === undefined ? initial : stored
    },
  }
}

async function parsed(response: Response, message: string): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch (cause) {
    throw new Error(message, { cause })
  }
}
