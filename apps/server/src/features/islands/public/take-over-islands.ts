import { KeyedQueue } from '../../../keyed-queue.ts'
import type { IslandPublisher } from './island-publisher.ts'
import type { PublicIslandsStore } from './public-islands-store.ts'

interface TakeOverParts {
  readonly store: Pick<PublicIslandsStore, 'read'>
  readonly publisher: Pick<IslandPublisher, 'noteIsland' | 'noteEnd'>
}

/**
 * Reads changed islands from storage into memory. Reads run one after the other, so memory ends with the
 * latest. Islands that could not be read wait for the next read.
 */
export function takeOverIslands({ store, publisher }: TakeOverParts): KeyedQueue<number> {
  return new KeyedQueue<number>({
    run: async (keys) => {
      const islands = await store.read([...keys])
      const found = new Set(islands.map(({ key }) => key))
      for (const island of islands) publisher.noteIsland(island)
      for (const key of keys) if (!found.has(key)) publisher.noteEnd(key)
    },
    keepsFailed: true,
  })
}
