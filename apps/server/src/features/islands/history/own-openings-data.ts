import { counted, type OwnDataKind } from '../../../own-data.ts'
import type { IslandHistoryStore } from './island-history-store.ts'

/** When islands opened and closed, in an account's export: one line per island. */
export function ownOpeningsData(
  store: Pick<IslandHistoryStore, 'countOf' | 'readOf'>,
): OwnDataKind {
  return {
    kind: 'islandOpenings',
    count: store.countOf,
    text: (count) => counted(count, 'opening or closing', 'openings and closings') + ' of islands',
    read: async function* (userKey) {
      for await (const { slug, events } of store.readOf(userKey)) {
        yield JSON.stringify({
          island: slug,
          events: events.map(({ atMs, kind }) => ({ at: new Date(atMs).toISOString(), kind })),
        })
      }
    },
  }
}
