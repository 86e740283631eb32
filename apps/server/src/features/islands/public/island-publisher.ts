import type { KindMessages } from '../../../public-messages.ts'
import { isInDirectory } from '../access-policy.ts'
import type { CachedIslands } from './cached-islands.ts'
import type { ListedIslands } from './listed-islands.ts'
import type { IslandFacts } from './public-islands-store.ts'
import type { RelayedIslands } from './relayed-islands.ts'

interface IslandPublisherParts {
  readonly known: CachedIslands
  readonly listed: ListedIslands
  readonly relayed: Pick<RelayedIslands, 'set' | 'delete'>
  readonly messages: KindMessages
  /** Called when the public may see less of an island than before. */
  readonly withdraw: () => void
}

/** Takes all changes of islands once they are durable. Only what the public may see leaves it. */
export interface IslandPublisher {
  /** Loads an island at the start, without publishing anything. */
  readonly load: (island: IslandFacts) => void
  /** A new or changed island. */
  readonly noteIsland: (island: IslandFacts) => void
  /** An island that was deleted. */
  readonly noteEnd: (islandKey: number) => void
  /** These have opened or closed. */
  readonly logOpenings: (islandKeys: readonly number[]) => void
  /** Begins to publish in place of another server, with nothing pending. */
  readonly beginToTell: () => void
  /** Publishes an island again, because the previous leader may not have done so. */
  readonly tellAgain: (islandKey: number, removedId?: string) => void
}

/**
 * Applies each change to the islands in memory, and publishes what the public could see of it on the live
 * feed.
 */
export function createIslandPublisher(parts: IslandPublisherParts): IslandPublisher {
  const { known, listed, relayed, messages, withdraw } = parts
  const unlist = (key: number) => {
    const removedId = listed.delete(key)
    if (removedId === undefined) return
    messages.note(key, { removedId })
    withdraw()
  }
  const list = (island: IslandFacts) => {
    const opening = known.find(island.key)?.opening
    if (opening === undefined) return
    const seen = listed.set(island, opening)
    if (seen === 'nothing') return
    if (seen === 'less') {
      messages.withdraw(island.key)
      withdraw()
    }
    messages.note(island.key, 'changed')
  }
  const relist = (islandKeys: readonly number[]) => {
    for (const key of islandKeys) {
      const facts = listed.facts(key)
      if (facts !== undefined) list(facts)
    }
  }
  return {
    load: (island) => {
      known.set(island)
      relayed.set(island)
      const opening = known.find(island.key)?.opening
      if (opening !== undefined && isInDirectory(island)) listed.set(island, opening)
    },
    noteIsland: (island) => {
      known.set(island)
      relayed.set(island)
      if (isInDirectory(island)) list(island)
      else unlist(island.key)
    },
    noteEnd: (islandKey) => {
      known.delete(islandKey)
      relayed.delete(islandKey)
      unlist(islandKey)
    },
    logOpenings: relist,
    beginToTell: () => messages.clear(),
    tellAgain: (islandKey, removedId) => {
      // The last message may say more than the public may see now.
      messages.withdraw(islandKey)
      if (listed.has(islandKey)) messages.note(islandKey, 'changed')
      else if (removedId !== undefined) messages.note(islandKey, { removedId })
    },
  }
}
