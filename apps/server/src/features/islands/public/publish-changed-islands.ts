import type { Topic } from '../../../topic.ts'
import type { IslandEvent } from './island-events.ts'
import type { CachedIsland, CachedIslands } from './cached-islands.ts'

interface TellChangedIslandsParts {
  readonly known: Pick<CachedIslands, 'find'>
  readonly events: Pick<Topic<[event: IslandEvent]>, 'publish'>
  /** @throws StorageUnavailable */
  readonly takeOver: (islandKeys: readonly number[]) => Promise<void>
}

/** An island that changed, before anybody was notified. */
interface UntoldIsland {
  readonly islandKey: number
  /** Its previous state; undefined for a new island. */
  readonly before: CachedIsland | undefined
  readonly userKeys: readonly number[]
}

/** Notifies of changed islands, once memory has them. */
export function publishChangedIslands({ known, events, takeOver }: TellChangedIslandsParts) {
  /** Changes that memory could not take over. */
  const untold = new Map<number, UntoldIsland>()

  const keep = ({ islandKey, before, userKeys }: UntoldIsland) => {
    const kept = untold.get(islandKey)
    untold.set(islandKey, {
      islandKey,
      before: kept?.before ?? before,
      userKeys: [...new Set([...(kept?.userKeys ?? []), ...userKeys])],
    })
  }
  const tell = async (islands: readonly UntoldIsland[]) => {
    try {
      await takeOver(islands.map(({ islandKey }) => islandKey))
    } catch (error) {
      for (const island of islands) keep(island)
      throw error
    }
    for (const { islandKey, before, userKeys } of islands) {
      const found = known.find(islandKey)
      const id = found?.id ?? before?.id
      if (id === undefined) continue
      const hosts = [found?.hostKey, before?.hostKey].filter((key) => typeof key === 'number')
      const concerned = [...new Set([...userKeys, ...hosts])]
      const kind = found === undefined ? 'gone' : 'changed'
      events.publish({ kind, islandKey, id, userKeys: concerned })
    }
  }
  return {
    /**
     * @param userKeys users to notify besides hosts and members
     * @throws StorageUnavailable; the change is then kept for `tellUntold`
     */
    tellChanged: (islandKeys: readonly number[], userKeys: readonly number[] = []) =>
      tell(islandKeys.map((islandKey) => ({ islandKey, before: known.find(islandKey), userKeys }))),
    /** @throws StorageUnavailable; the changes are then kept */
    tellUntold: async () => {
      if (untold.size === 0) return
      const islands = [...untold.values()]
      untold.clear()
      await tell(islands)
    },
  }
}
