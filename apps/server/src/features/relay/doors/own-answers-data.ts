import { counted, type OwnDataKind } from '../../../own-data.ts'
import type { VisitsStore } from './visits-store.ts'

interface OwnAnswersDataDeps {
  readonly store: Pick<VisitsStore, 'listAnswers'>
  /** What a user may know of an island by now; null where that is nothing. */
  readonly nameIsland: (
    userKey: number,
    islandId: string,
  ) => Promise<{ readonly slug: string; readonly name: string } | null>
}

/** Which islands through the relay a user has entered, and whether they are told who that is. */
export function ownAnswersData({ store, nameIsland }: OwnAnswersDataDeps): OwnDataKind {
  return {
    kind: 'islandVisits',
    count: async (userKey) => (await store.listAnswers(userKey)).length,
    text: (count) => counted(count, 'island entered', 'islands entered'),
    read: async function* (userKey) {
      for (const { islandId, tellsName, answeredMs } of await store.listAnswers(userKey)) {
        yield JSON.stringify({
          island: await nameIsland(userKey, islandId),
          tellsName,
          answeredAt: new Date(answeredMs).toISOString(),
        })
      }
    },
  }
}
