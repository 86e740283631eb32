import { isoTime } from '../../iso-time.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { findIfVisible } from './find-island.ts'
import type { IslandHistoryStore } from './history/island-history-store.ts'
import { readOpenness } from './island-openness.ts'
import type { IslandsContext } from './islands-context.ts'
import type { LogStore } from './log/log-store.ts'
import type { PeopleStore } from './people/people-store.ts'
import { presentOwnIsland } from './present-island.ts'

/** Islands that the user may no longer see have no name. */
export function ownIslandsData(
  { islands, presence, relayAddress }: IslandsContext,
  people: PeopleStore,
  log: LogStore,
  history: IslandHistoryStore,
): readonly OwnDataKind[] {
  return [
    {
      // Each as its host sees it, with all slugs that it ever had.
      kind: 'islands',
      count: async (userKey) => (await islands.listOwnKeys(userKey)).length,
      text: (count) =>
        counted(
          count,
          'island with its members, invitations and log',
          'islands with their members, invitations and logs',
        ),
      read: async function* (userKey) {
        for (const island of await islands.listOwn(userKey, { notesMs: 0, oldSlugsMs: 0 })) {
          const openness = await readOpenness(island, presence)
          yield JSON.stringify(presentOwnIsland(island, openness, relayAddress))
        }
      },
    },
    {
      kind: 'memberships',
      count: async (userKey) => (await people.listOf(userKey)).length,
      text: (count) =>
        counted(count, 'island joined or asked to join', 'islands joined or asked to join'),
      read: async function* (userKey) {
        for (const { islandId, atMs, requestText } of await people.listOf(userKey)) {
          const island = (await findIfVisible(islands, userKey, islandId))?.island
          yield JSON.stringify({
            island: island === undefined ? null : { slug: island.slug, name: island.name },
            state: requestText === null ? 'member' : 'asked',
            since: isoTime(atMs),
            ...(requestText !== null && { text: requestText }),
          })
        }
      },
    },
    {
      kind: 'logEntries',
      count: log.countPostsOf,
      text: (count) =>
        counted(count, 'note or signal', 'notes and signals') + ' in logs of islands',
      read: async function* (userKey) {
        const slugs = new Map<string, string | null>()
        for await (const { islandId, kind, text, eventMs, atMs, hidden } of log.postsOf(userKey)) {
          if (!slugs.has(islandId)) {
            const found = await findIfVisible(islands, userKey, islandId)
            slugs.set(islandId, found?.island.slug ?? null)
          }
          yield JSON.stringify({
            island: slugs.get(islandId) ?? null,
            kind,
            text,
            writtenAt: isoTime(atMs),
            ...(eventMs !== null && { eventAt: isoTime(eventMs) }),
            ...(hidden !== null && { hiddenReason: hidden.reason }),
          })
        }
      },
    },
    {
      kind: 'islandOpenings',
      count: history.countOf,
      text: (count) =>
        counted(count, 'opening or closing', 'openings and closings') + ' of islands',
      read: async function* (userKey) {
        for await (const { slug, events } of history.readOf(userKey)) {
          const shown = events.map(({ atMs, kind }) => ({ at: isoTime(atMs), kind }))
          yield JSON.stringify({ island: slug, events: shown })
        }
      },
    },
  ]
}
