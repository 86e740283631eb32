import type { IslandPublisher } from './island-publisher.ts'
import type { PublicIslandsStore } from './public-islands-store.ts'

interface TakeOverParts {
  readonly store: Pick<PublicIslandsStore, 'read'>
  readonly publisher: Pick<IslandPublisher, 'noteIsland' | 'noteEnd'>
}

/**
 * Takes over islands as they are in storage by now, whoever changed them: one reading after the other, so
 * that what was read later is what memory ends with. What could not be read waits for the next reading.
 */
export function takeOverIslands({ store, publisher }: TakeOverParts) {
  const waiting = new Set<number>()
  let reading: Promise<void> | undefined

  const readAll = async () => {
    try {
      while (waiting.size > 0) {
        const keys = [...waiting]
        waiting.clear()
        await readOnce(keys)
      }
    } finally {
      reading = undefined
    }
  }
  const readOnce = async (keys: readonly number[]) => {
    let islands
    try {
      islands = await store.read(keys)
    } catch (error) {
      for (const key of keys) waiting.add(key)
      throw error
    }
    const found = new Set(islands.map(({ key }) => key))
    for (const island of islands) publisher.noteIsland(island)
    for (const key of keys) if (!found.has(key)) publisher.noteEnd(key)
  }
  const takeOver = (keys: readonly number[]): Promise<void> => {
    for (const key of keys) waiting.add(key)
    reading ??= readAll()
    return reading
  }
  return {
    takeOver,
    isReading: () => waiting.size > 0 || reading !== undefined,
    /** @throws StorageUnavailable */
    whenTakenOver: async () => {
      if (waiting.size > 0 || reading !== undefined) await takeOver([])
    },
  }
}
