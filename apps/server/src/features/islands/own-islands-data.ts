import { counted, type OwnDataKind } from '../../own-data.ts'
import type { RelayAddress } from '../../relay-address.ts'
import { readOpenness, type CarrierPresence } from './island-openness.ts'
import type { IslandsStore } from './islands-store.ts'
import { presentOwnIsland } from './present-island.ts'

interface OwnIslandsDataDeps {
  readonly store: Pick<IslandsStore, 'listOwn' | 'listOwnKeys'>
  readonly presence: Pick<CarrierPresence, 'statusSince' | 'clock'>
  readonly relayAddress: RelayAddress
}

/** Islands in an account's export: each as its host sees it, with all slugs it ever had. */
export function ownIslandsData({ store, presence, relayAddress }: OwnIslandsDataDeps): OwnDataKind {
  return {
    kind: 'islands',
    count: async (userKey) => (await store.listOwnKeys(userKey)).length,
    text: (count) =>
      counted(
        count,
        'island with its members, invitations and log',
        'islands with their members, invitations and logs',
      ),
    read: async function* (userKey) {
      for (const island of await store.listOwn(userKey, { notesMs: 0, oldSlugsMs: 0 })) {
        const openness = await readOpenness(island, presence)
        yield JSON.stringify(presentOwnIsland(island, { openness, relayAddress }))
      }
    },
  }
}
