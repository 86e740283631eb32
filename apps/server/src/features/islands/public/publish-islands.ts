import { isDeepStrictEqual } from 'node:util'
import { KeyedQueue } from '../../../keyed-queue.ts'
import type { KindMessages } from '../../../public-messages.ts'
import type { Topic } from '../../../topic.ts'
import { isInDirectory } from '../access-policy.ts'
import { presentOpening } from '../island-openness.ts'
import type { CachedIsland, CachedIslands } from './cached-islands.ts'
import type { ListedIslands } from './listed-islands.ts'
import type { IslandFacts, PublicIslandsStore } from './public-islands-store.ts'

interface EventOf<Kind> {
  readonly kind: Kind
  readonly islandKey: number
  readonly id: string
}

/** Published once memory has it. */
export type IslandEvent =
  | (EventOf<'open'> & { readonly isOpen: boolean; readonly since: string | null })
  | (EventOf<'changed' | 'gone' | 'log' | 'members' | 'requests'> & {
      /** Besides the members. */
      readonly userKeys: readonly number[]
    })

/** Once memory has a change, publishes it. The live feed gets only what the public could see of it. */
export function publishIslands(parts: {
  readonly store: Pick<PublicIslandsStore, 'read'>
  readonly cached: CachedIslands
  readonly listed: ListedIslands
  readonly messages: KindMessages
  readonly events: Pick<Topic<[event: IslandEvent]>, 'publish'>
  /** The public may see less of an island than before. */
  readonly withdraw: () => void
}) {
  const { store, cached, listed, messages, events, withdraw } = parts
  /** As they were before they could not be read. */
  const pending = new Map<number, CachedIsland | undefined>()

  const list = (island: IslandFacts) => {
    const opening = cached.find(island.key)?.opening
    if (opening === undefined) return
    const seen = listed.set(island, opening)
    if (seen === 'nothing') return
    if (seen === 'less') {
      messages.withdraw(island.key)
      withdraw()
    }
    messages.note(island.key, 'changed')
  }
  const unlist = (key: number) => {
    const removedId = listed.delete(key)
    if (removedId === undefined) return
    messages.note(key, { removedId })
    withdraw()
  }
  // Reads run one after the other, so memory ends with the latest.
  const reads = new KeyedQueue<number>({
    run: async (keys) => {
      const islands = await store.read([...keys])
      const found = new Set(islands.map(({ key }) => key))
      for (const island of islands) {
        cached.set(island)
        if (isInDirectory(island)) list(island)
        else unlist(island.key)
      }
      for (const key of keys) {
        if (found.has(key)) continue
        cached.delete(key)
        unlist(key)
      }
    },
    keepsFailed: true,
  })

  const publishOpen = (key: number) => {
    const found = cached.find(key)
    if (found === undefined) return
    const { isOpen, since } = presentOpening(found.opening)
    events.publish({ kind: 'open', islandKey: key, id: found.id, isOpen, since })
  }

  const publish = async (
    islands: ReadonlyMap<number, CachedIsland | undefined>,
    { isByCheck = false } = {},
  ) => {
    try {
      await reads.add(...islands.keys())
    } catch (error) {
      for (const [key, before] of islands) pending.set(key, pending.get(key) ?? before)
      throw error
    }
    for (const [islandKey, before] of islands) {
      const found = cached.find(islandKey)
      const id = found?.id ?? before?.id
      if (id === undefined) continue
      if (isByCheck && found?.opening.isWatched === before?.opening.isWatched) {
        if (!isDeepStrictEqual(found?.opening, before?.opening)) publishOpen(islandKey)
        continue
      }
      const hosts = [found?.hostKey, before?.hostKey].filter((key) => typeof key === 'number')
      const kind = found === undefined ? 'gone' : 'changed'
      events.publish({ kind, islandKey, id, userKeys: [...new Set(hosts)] })
    }
  }

  const asCached = (keys: readonly number[]) => new Map(keys.map((key) => [key, cached.find(key)]))

  return {
    load: (island: IslandFacts) => {
      cached.set(island)
      const opening = cached.find(island.key)?.opening
      if (opening !== undefined && isInDirectory(island)) listed.set(island, opening)
    },
    /** @throws StorageUnavailable; `publishPending` then publishes them */
    publishChanged: (islandKeys: readonly number[]) => publish(asCached(islandKeys)),
    /** Their checks may have opened or closed them. @throws StorageUnavailable, as above */
    publishChecks: (islandKeys: readonly number[]) =>
      publish(asCached(islandKeys), { isByCheck: true }),
    /** @throws StorageUnavailable; the changes then stay pending */
    publishPending: async () => {
      if (pending.size === 0) return
      const islands = new Map(pending)
      pending.clear()
      await publish(islands)
    },
    publishOpenings: (islandKeys: readonly number[]) => {
      for (const key of islandKeys) {
        const facts = listed.facts(key)
        if (facts !== undefined) list(facts)
      }
      for (const key of islandKeys) publishOpen(key)
    },
    begin: () => messages.clear(),
    /** The previous leader may not have done so. */
    publishAgain: (islandKey: number, removedId?: string) => {
      // The last message may say more than the public may see now.
      messages.withdraw(islandKey)
      if (listed.has(islandKey)) messages.note(islandKey, 'changed')
      else if (removedId !== undefined) messages.note(islandKey, { removedId })
    },
    /** Memory then has all changes by this server so far. */
    whenTakenOver: () => reads.runFailed(),
    isIdle: () => reads.isIdle,
  }
}
