import type { KindMessages } from '../../../public-messages.ts'
import { isInDirectory } from '../doors.ts'
import type { KnownIslands } from './known-islands.ts'
import type { ListedIslands } from './listed-islands.ts'
import type { IslandFacts } from './public-islands-store.ts'
import type { RelayedIslands } from './relayed-islands.ts'

interface IslandPublisherParts {
  readonly known: KnownIslands
  readonly listed: ListedIslands
  readonly relayed: Pick<RelayedIslands, 'set' | 'delete'>
  readonly messages: KindMessages
  /** Called where everybody may know less of an island than before. */
  readonly withdraw: () => void
}

/** Where all changes of islands go in, once they are durable; what is not everybody's stays here. */
export interface IslandPublisher {
  /** One that was there at the start, of which nothing is told. */
  readonly load: (island: IslandFacts) => void
  /** A new or changed island. */
  readonly noteIsland: (island: IslandFacts) => void
  /** One that is there no more. */
  readonly noteEnd: (islandKey: number) => void
  /** These have opened or closed. */
  readonly noteOpenings: (islandKeys: readonly number[]) => void
  /** Begins to tell in place of another server: with nothing but what is told again. */
  readonly beginToTell: () => void
  /** Tells again what became of an island, which another server may not have come to tell. */
  readonly tellAgain: (islandKey: number, removedId?: string) => void
}

/** Writes each change to the islands in memory and hands what the public could see to the live feed. */
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
    noteOpenings: relist,
    beginToTell: () => messages.clear(),
    tellAgain: (islandKey, removedId) => {
      // What was told before may be more than everybody may know now.
      messages.withdraw(islandKey)
      if (listed.has(islandKey)) messages.note(islandKey, 'changed')
      else if (removedId !== undefined) messages.note(islandKey, { removedId })
    },
  }
}
