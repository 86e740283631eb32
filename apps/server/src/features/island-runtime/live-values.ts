import type {
  ListedEntries,
  RuntimeAnswer,
  ValueEntry,
  ValueStore,
} from '@astropelago/contract/island-runtime'
import { islandWritesPerMinute } from '@astropelago/contract/limits'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { grouped } from '../../group-turns.ts'
import type { InstanceNotices, Notice } from '../../cluster/instance-notices.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { limitCalls } from '../../http/rate-limits.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import type { IslandValuesStore, ValueId, ValueWrite } from './island-values-store.ts'

const waitingMaxBytes = 16 * 1024 * 1024
const writeOverhead = 512
/** How soon changes on servers that are not connected are found. */
const pollMs = 1000
const retryMs = 1000

interface Watched {
  readonly islandKey: number
  readonly store: ValueStore
  readonly ownerKey: number
  readonly prefix: string
  readonly push: (push: RuntimeAnswer) => void
}

interface Watch extends Watched {
  /** Changes since the reading of all entries began. They follow it. */
  missed: ValueEntry[] | undefined
}

export type LiveValues = ReturnType<typeof createLiveValues>

/** The values of islands, and who watches them. */
export function createLiveValues({
  store,
  cluster,
  schedule,
  changes,
  notices,
  log,
}: Pick<FeatureBase, 'cluster'> & {
  readonly schedule: Pick<FeatureBase['schedule'], 'every'>
  readonly changes: Pick<FeatureBase['changes'], 'subscribe'>
  readonly log: Pick<FeatureBase['log'], 'warn'>
  readonly store: IslandValuesStore
  readonly notices: InstanceNotices
}) {
  const watches = new Map<number, Set<Watch>>()
  /** What the watched islands’ values were at the last poll. */
  const states = new Map<number, string>()
  const limitWrites = limitCalls(
    new CallLimit({ maxCalls: islandWritesPerMinute, windowMs: 60_000 }),
  )
  const write = grouped(
    async (writes: readonly ValueWrite[]) => {
      const outcomes = await store.write(writes)
      publish(writes.filter((_, index) => outcomes[index] === 'done'))
      return outcomes
    },
    {
      weigh: (one) => writeOverhead + (one.kind === 'delete' ? 0 : one.value.length),
      maxWeight: waitingMaxBytes,
    },
  )

  const publish = (writes: readonly ValueWrite[]): void => {
    for (const [islandKey, changed] of Map.groupBy(writes, (one) => one.islandKey)) {
      const names = changed.map(
        ({ store: of, ownerKey, key }) => [of, ownerKey, key] satisfies NoticeName,
      )
      notices.publish({ kind: 'values', islandKey, names })
      // With other servers, the last of several changes is the one that a reading finds.
      if (cluster.size() > 1) readAgain(islandKey, names)
      else for (const one of changed) publishEntry(one, entryOf(one))
    }
  }

  const publishEntry = ({ islandKey, store: of, ownerKey }: ValueId, entry: ValueEntry): void => {
    // One for all, so that it is encoded once.
    const push = { push: 'changed', store: of, entries: [entry] } as const
    for (const watch of watches.get(islandKey) ?? []) {
      if (watch.store !== of || watch.ownerKey !== ownerKey) continue
      if (!entry.key.startsWith(watch.prefix)) continue
      if (watch.missed === undefined) watch.push(push)
      else watch.missed.push(entry)
    }
  }

  /** Gives all watchers of an island everything, as changes may have been missed. */
  const resync = async (islandKey: number): Promise<void> => {
    const alike = Map.groupBy(watches.get(islandKey) ?? [], ({ store: of, ownerKey, prefix }) =>
      JSON.stringify([of, ownerKey, prefix]),
    )
    for (const group of alike.values()) {
      await readAll(group, (listed) => {
        const [{ store: of, prefix } = { store: 'shared', prefix: '' } as const] = group
        const push = { push: 'entries', store: of, prefix, ...listed } as const
        for (const watch of group) watch.push(push)
      })
    }
  }

  /**
   * @param alike watch the same entries
   * @param take gets all entries. The changes after them follow.
   */
  const readAll = async (alike: readonly Watch[], take: (listed: ListedEntries) => void) => {
    const [first] = alike
    if (first === undefined) return
    const missed: ValueEntry[] = []
    for (const watch of alike) watch.missed = missed
    try {
      take(await store.listEntries(first))
      const push = { push: 'changed', store: first.store, entries: missed } as const
      if (missed.length > 0) for (const watch of alike) watch.push(push)
    } finally {
      for (const watch of alike) if (watch.missed === missed) watch.missed = undefined
    }
  }

  const resyncs = new KeyedQueue<number>({
    run: async (islandKeys) => {
      for (const islandKey of islandKeys) await resync(islandKey)
    },
    retryAfterMs: () => retryMs,
    onFailure: (error) => log.warn({ err: error }, 'values of islands were not read'),
  })

  /** One reading at a time, so that no older value follows a newer one. */
  const readings = new KeyedQueue<string>({
    run: async (names) => {
      const ids = [...names].flatMap((name) => watchedId(JSON.parse(name)) ?? [])
      const entries = ids.length === 0 ? [] : await store.read(ids)
      for (const [index, entry] of entries.entries()) {
        const id = ids[index]
        if (id !== undefined) publishEntry(id, entry)
      }
    },
    retryAfterMs: () => retryMs,
    onFailure: (error) => log.warn({ err: error }, 'changed values of islands were not read'),
  })
  const readAgain = (islandKey: number, names: readonly NoticeName[]): void => {
    if (watches.has(islandKey)) {
      void readings.add(...names.map((name) => JSON.stringify([islandKey, ...name])))
    }
  }

  const watchedId = ([islandKey, ...[of, ownerKey, key]]: readonly [number, ...NoticeName]) => {
    const watched = [...(watches.get(islandKey) ?? [])]
    const one = watched.find((watch) => watch.store === of && watch.ownerKey === ownerKey)
    return one && { islandKey, store: one.store, ownerKey, key }
  }

  notices.subscribe((_writer, notice) => {
    if (notice.kind === 'values') readAgain(notice.islandKey, notice.names)
  })
  notices.onGap(() => void resyncs.add(...watches.keys()))
  // Deleted with their author, or by the author in Account.
  changes.subscribe('island-values', ({ keys }) => {
    for (const key of keys) if (watches.has(key)) void resyncs.add(key)
  })
  schedule.every(pollMs, 'values that other servers changed were not looked for', async () => {
    if (notices.sources >= cluster.size() - 1) {
      states.clear()
      return
    }
    for (const islandKey of watches.keys()) {
      const state = await store.readState(islandKey)
      if (states.get(islandKey) === state) continue
      states.set(islandKey, state)
      await resyncs.add(islandKey)
    }
  })

  return {
    store,
    /** @throws DomainError */
    write: async (one: ValueWrite): Promise<void> => {
      limitWrites(`${one.islandKey} ${one.writer.userKey}`)
      const outcome = await write(one)
      if (outcome !== 'done' && outcome !== 'unchanged') throw new DomainError(outcome)
    },
    /**
     * @param take gets the entries that are there, before any change
     * @returns what ends it; `ready` rejects if the entries could not be read
     */
    watch: (watched: Watched, take: (listed: ListedEntries) => void) => {
      const { islandKey } = watched
      const watch = { ...watched, missed: undefined }
      const of = watches.get(islandKey) ?? new Set()
      watches.set(islandKey, of.add(watch))
      const end = (): void => {
        of.delete(watch)
        if (of.size === 0 && watches.get(islandKey) === of) watches.delete(islandKey)
      }
      const ready = readAll([watch], take).catch((error: unknown) => {
        end()
        throw error
      })
      return { end, ready }
    },
  }
}

function entryOf(write: ValueWrite): ValueEntry {
  const { id, name } = write.writer
  const value = write.kind === 'delete' ? null : write.value
  return { key: write.key, value, author: { id, name } }
}

type NoticeName = Extract<Notice, { kind: 'values' }>['names'][number]
