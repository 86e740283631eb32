import {
  isShown,
  mayEnter,
  mayKnow,
  roleOf,
  signedOutViewer,
  type AccessFacts,
  type Viewer,
} from './access-policy.ts'
import type { IslandsStore } from './islands-store.ts'

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

interface ViewedIsland extends IslandUser {
  readonly island: AccessFacts
  readonly viewer: Viewer
  /** Folded; null if there is no such user. */
  readonly username: string | null
}

/** What users are to islands, in no order. Leaves out islands that are gone. */
export interface IslandViewersStore {
  readonly read: (pairs: readonly IslandUser[]) => Promise<readonly ViewedIsland[]>
}

const noRights = { mayKnow: false, mayEnter: false, entersPaused: false, isOwn: false }

interface RightsContext {
  readonly islands: Pick<IslandsStore, 'read'>
  readonly viewers: IslandViewersStore
  /** Folded usernames. */
  readonly operators: ReadonlySet<string>
}

/** The rights of many users on one island, read with two queries. A null key means not signed in. */
export async function readRights(
  { islands, viewers, operators }: RightsContext,
  islandKey: number,
  userKeys: readonly number[],
) {
  const [island] = await islands.read([islandKey])
  const people = await viewers.read(userKeys.map((userKey) => ({ userKey, islandKey })))
  const byKey = new Map(people.map((person) => [person.userKey, person]))
  return (userKey: number | null) => {
    if (island === undefined) return noRights
    const { viewer, username } = byKey.get(userKey ?? 0) ?? {
      viewer: { ...signedOutViewer, userKey },
      username: null,
    }
    const role = roleOf(island, viewer)
    return {
      mayKnow: mayKnow(island, viewer),
      /** Includes reading its log. */
      mayEnter: mayEnter(island, viewer),
      /** Whether a pause does not apply. */
      entersPaused: role === 'host' || operators.has(username ?? ''),
      /** Whether they host it or are a member, even if they may not see it now. */
      isOwn: role === 'host' || role === 'member',
    }
  }
}

/**
 * Which of these users may be alerted now when the island opens or closes: those who may see it. For a
 * draft or a hidden island, that excludes its host.
 */
export async function whoMayGetAlerts(
  viewers: IslandViewersStore,
  pairs: readonly IslandUser[],
): Promise<(userKey: number, islandKey: number) => boolean> {
  const found = await viewers.read(pairs)
  const allowed = found.filter(({ island, viewer }) => isShown(island) && mayKnow(island, viewer))
  const names = new Set(allowed.map(({ userKey, islandKey }) => `${userKey} ${islandKey}`))
  return (userKey, islandKey) => names.has(`${userKey} ${islandKey}`)
}
