import { counted, type OwnDataKind } from '../../../own-data.ts'
import { mayKnow } from '../access-policy.ts'
import type { IslandsStore } from '../islands-store.ts'
import type { PeopleStore } from './people-store.ts'

interface OwnMembershipsDataDeps {
  readonly people: Pick<PeopleStore, 'listOf'>
  readonly islands: Pick<IslandsStore, 'findById'>
}

/**
 * The islands that a user has joined or asked to join. An island that the user may no longer see has no
 * name.
 */
export function ownMembershipsData({ people, islands }: OwnMembershipsDataDeps): OwnDataKind {
  return {
    kind: 'memberships',
    count: async (userKey) => (await people.listOf(userKey)).length,
    text: (count) =>
      counted(count, 'island joined or asked to join', 'islands joined or asked to join'),
    read: async function* (userKey) {
      for (const { islandId, atMs, requestText } of await people.listOf(userKey)) {
        const found = await islands.findById(userKey, islandId)
        const isKnown = found !== undefined && mayKnow(found.island, found.viewer)
        yield JSON.stringify({
          island: isKnown ? { slug: found.island.slug, name: found.island.name } : null,
          state: requestText === null ? 'member' : 'asked',
          since: new Date(atMs).toISOString(),
          ...(requestText !== null && { text: requestText }),
        })
      }
    },
  }
}
