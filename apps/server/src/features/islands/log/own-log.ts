import { membershipsPerUser } from '@astropelago/contract/limits'
import type { ActivityItem } from '@astropelago/contract/island-log'
import type { PagePosition } from '../../../page-position.ts'
import { isHost, mayEnter } from '../access-policy.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { LogStore } from './log-store.ts'
import { presentLogEntry } from './present-log-entry.ts'

interface OwnLogDeps {
  readonly islands: Pick<IslandsStore, 'listHosted' | 'listJoined'>
  readonly log: Pick<LogStore, 'read'>
}

/** Entries in the logs of all islands that a user hosts or has joined, newest first. */
export function ownLog({ islands, log }: OwnLogDeps) {
  return async (
    userKey: number,
    page: { readonly after: PagePosition; readonly limit: number },
  ): Promise<readonly Extract<ActivityItem, { type: 'log' }>[]> => {
    const [hosted, joined] = await Promise.all([
      islands.listHosted(userKey),
      islands.listJoined(userKey, membershipsPerUser),
    ])
    const known = [...hosted, ...joined].filter(({ island, viewer }) => mayEnter(island, viewer))
    if (known.length === 0) return []
    const byKey = new Map(known.map((found) => [found.island.key, found]))
    const logs = Array.from(byKey.values(), ({ island, viewer }) => ({
      islandKey: island.key,
      isHost: isHost(island, viewer),
    }))
    const entries = await log.read(logs, { readerKey: userKey, ...page })
    return entries.flatMap((entry) => {
      const found = byKey.get(entry.islandKey)
      if (found === undefined) return []
      const { slug, name } = found.island
      const shown = presentLogEntry(entry, found)
      return [{ type: 'log', id: entry.id, at: shown.at, island: { slug, name }, entry: shown }]
    })
  }
}
