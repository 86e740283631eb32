import { counted, type OwnDataKind } from '../../../own-data.ts'
import type { GrantsStore } from './grants-store.ts'

interface OwnAnswersDataDeps {
  readonly store: Pick<GrantsStore, 'listAnswers'>
  /** The island as this user may see it now; null if the user may not know of it. */
  readonly nameIsland: (
    userKey: number,
    islandId: string,
  ) => Promise<{ readonly slug: string; readonly name: string } | null>
}

/**
 * For the export of an account: the relayed islands that a user entered, and whether they see the user's
 * name.
 */
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
