import type { ListedEntries, ValueEntry, ValueStore } from '@astropelago/contract/island-runtime'
import { islandValueMaxBytes } from '@astropelago/contract/limits'
import type { Connection } from './connection.ts'
import type { Write } from './consent.ts'
import { createListeners, type Listeners, throwLater } from './listeners.ts'
import { personOf, type Person } from './people.ts'
import { jsonOf } from './spark-error.ts'

export interface Entry {
  readonly key: string
  /** Undefined if it was deleted. */
  readonly value: unknown
  readonly author: Person
  readonly isMine: boolean
}

/** Any JSON under keys of 1 to 512 bytes. */
export interface Values {
  readonly keys: () => Promise<string[]>
  /** Undefined if the key is absent. */
  readonly get: <T = unknown>(key: string) => Promise<T | undefined>
  readonly set: (key: string, value: unknown) => Promise<void>
  /** Succeeds whether or not the key exists. */
  readonly delete: (key: string) => Promise<void>
  /** Those whose keys begin with the prefix, in the order of their keys. */
  readonly entries: (prefix?: string) => Promise<Entry[]>
  /**
   * Calls the listener with each entry whose key begins with the prefix, then with each change.
   * @returns stops it
   */
  readonly watch: (prefix: string, listener: (entry: Entry) => void) => () => void
}

interface Watch {
  readonly known: Map<string, ValueEntry>
  readonly changes: Listeners<ValueEntry>
  /** Changes that came before the entries. Undefined once these are there. */
  early: ValueEntry[] | undefined
  count: number
}

export function createValues(
  store: ValueStore,
  { connection, write }: { readonly connection: Connection; readonly write: Write },
): Values {
  const watches = new Map<string, Watch>()
  let userId: string | undefined

  const entryOf = ({ key, value, author }: ValueEntry): Entry => ({
    key,
    value: value === null ? undefined : JSON.parse(value),
    author: personOf(author),
    isMine: author !== null && author.id === connection.hello()?.user?.id,
  })

  const change = ({ known, changes }: Watch, entry: ValueEntry) => {
    const before = known.get(entry.key)
    // A value that several watches cover comes several times.
    const isSame = before?.value === entry.value && before?.author?.id === entry.author?.id
    if (isSame || (before === undefined && entry.value === null)) return
    if (entry.value === null) known.delete(entry.key)
    else known.set(entry.key, entry)
    changes.tell(entry)
  }

  const setAll = (watch: Watch, { entries, isWhole }: ListedEntries) => {
    const keys = new Set(entries.map(({ key }) => key))
    for (const entry of isWhole ? watch.known.values() : []) {
      if (!keys.has(entry.key)) change(watch, { ...entry, value: null })
    }
    for (const entry of entries) change(watch, entry)
  }

  const askFor = (prefix: string, watch: Watch) => {
    watch.early = []
    connection.callOnce(
      { call: 'watch', store, prefix },
      (listed) => {
        setAll(watch, listed)
        const early = watch.early ?? []
        watch.early = undefined
        for (const entry of early) change(watch, entry)
      },
      (error) => {
        watch.early = undefined
        throwLater(error)
      },
    )
  }

  connection.handle({
    hello: ({ user }) => {
      const ids = [userId, user?.id]
      const isOther = userId !== user?.id
      userId = user?.id
      for (const [prefix, watch] of watches) {
        // Whose they are has changed.
        if (isOther) for (const entry of ofAuthors(watch, ids)) watch.changes.tell(entry)
        askFor(prefix, watch)
      }
    },
    push: (push) => {
      if (push.push === 'entries' && push.store === store) {
        const watch = watches.get(push.prefix)
        if (watch !== undefined) setAll(watch, push)
      } else if (push.push === 'changed' && push.store === store) {
        for (const [prefix, watch] of watches) {
          const entries = push.entries.filter(({ key }) => key.startsWith(prefix))
          if (watch.early !== undefined) watch.early.push(...entries)
          else for (const entry of entries) change(watch, entry)
        }
      }
    },
  })

  const watch = (prefix: string) => {
    const existing = watches.get(prefix)
    if (existing !== undefined) return existing
    const known = new Map<string, ValueEntry>()
    const changes = createListeners<ValueEntry>(() => known.values())
    const made: Watch = { known, changes, early: undefined, count: 0 }
    watches.set(prefix, made)
    connection.start()
    askFor(prefix, made)
    return made
  }

  async function get<T>(key: string): Promise<T | undefined>
  async function get(key: string): Promise<unknown> {
    const json = await connection.call<'get'>({ call: 'get', store, key })
    return json === null ? undefined : JSON.parse(json)
  }

  return Object.freeze<Values>({
    keys: async () => [...(await connection.call<'keys'>({ call: 'keys', store }))],
    get,
    set: async (key, value) => {
      const json = jsonOf(value, islandValueMaxBytes)
      await write<'set'>({ call: 'set', store, key, value: json })
    },
    delete: async (key) => {
      await write<'delete'>({ call: 'delete', store, key })
    },
    entries: async (prefix = '') => {
      const { entries } = await connection.call<'entries'>({ call: 'entries', store, prefix })
      return entries.map(entryOf)
    },
    watch: (prefix, listener) => {
      const watched = watch(prefix)
      watched.count += 1
      const stop = watched.changes.add((entry) => listener(entryOf(entry)))
      let isStopped = false
      return () => {
        if (isStopped) return
        isStopped = true
        stop()
        watched.count -= 1
        if (watched.count > 0) return
        watches.delete(prefix)
        connection.callOnce({ call: 'unwatch', store, prefix })
      }
    },
  })
}

function ofAuthors({ known }: Watch, ids: readonly (string | undefined)[]): ValueEntry[] {
  return [...known.values()].filter(({ author }) => author !== null && ids.includes(author.id))
}
