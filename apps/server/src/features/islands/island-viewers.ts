import { isShown, mayEnter, mayKnow, roleOf, signedOutViewer } from './access-policy.ts'
import type { IslandsStore, IslandUser } from './islands-store.ts'

const noRights = { mayKnow: false, mayEnter: false, entersPaused: false, isOwn: false }

/**
 * The rights of many users on one island, read with two queries. A null key means not signed in.
 * @param operators folded usernames
 */
export async function readRights(
  islands: Pick<IslandsStore, 'findManyByKey' | 'readViewers'>,
  operators: ReadonlySet<string>,
  islandKey: number,
  userKeys: readonly number[],
) {
  const [found] = await islands.findManyByKey(null, [islandKey])
  const people = await islands.readViewers(userKeys.map((userKey) => ({ userKey, islandKey })))
  const byKey = new Map(people.map((person) => [person.userKey, person]))
  return (userKey: number | null) => {
    if (found === undefined) return noRights
    const { island } = found
    const { viewer, username } = byKey.get(userKey ?? 0) ?? {
      viewer: { ...signedOutViewer, userKey },
      username: null,
    }
    const role = roleOf(island, viewer)
    return {
      mayKnow: mayKnow(island, viewer),
      mayEnter: mayEnter(island, viewer),
      /** Whether a pause does not apply. */
      entersPaused: role === 'host' || operators.has(username ?? ''),
      /** Even if they may not see it now. */
      isOwn: role === 'host' || role === 'member',
    }
  }
}

/** Those who may see it. For a draft or a hidden island, that excludes its host. */
export async function whoMayGetAlerts(
  islands: Pick<IslandsStore, 'readViewers'>,
  pairs: readonly IslandUser[],
): Promise<(userKey: number, islandKey: number) => boolean> {
  const found = await islands.readViewers(pairs)
  const allowed = found.filter(({ island, viewer }) => isShown(island) && mayKnow(island, viewer))
  const names = new Set(allowed.map(({ userKey, islandKey }) => `${userKey} ${islandKey}`))
  return (userKey, islandKey) => names.has(`${userKey} ${islandKey}`)
}
