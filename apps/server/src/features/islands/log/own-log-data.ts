import { counted, type OwnDataKind } from '../../../own-data.ts'
import { mayKnow } from '../access-policy.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { LogStore } from './log-store.ts'

interface OwnLogDataDeps {
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly log: Pick<LogStore, 'countPostsOf' | 'postsOf'>
}

/** What a user has written in logs. An island that the user may no longer see has no slug. */
export function ownLogData({ islands, log }: OwnLogDataDeps): OwnDataKind {
  return {
    kind: 'logEntries',
    count: log.countPostsOf,
    text: (count) => counted(count, 'note or signal', 'notes and signals') + ' in logs of islands',
    read: async function* (userKey) {
      const slugs = new Map<string, string | null>()
      for await (const { islandId, kind, text, eventMs, atMs, hidden } of log.postsOf(userKey)) {
        if (!slugs.has(islandId)) {
          const found = await islands.findById(userKey, islandId)
          const isKnown = found !== undefined && mayKnow(found.island, found.viewer)
          slugs.set(islandId, isKnown ? found.island.slug : null)
        }
        yield JSON.stringify({
          island: slugs.get(islandId) ?? null,
          kind,
          text,
          writtenAt: new Date(atMs).toISOString(),
          ...(eventMs !== null && { eventAt: new Date(eventMs).toISOString() }),
          ...(hidden !== null && { hiddenReason: hidden.reason }),
        })
      }
    },
  }
}
