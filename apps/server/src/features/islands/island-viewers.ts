import { isShown, mayEnter, mayKnow, roleOf } from './access-policy.ts'
import type { AccessFacts, Viewer } from './access-policy.ts'
import type { IslandsStore } from './islands-store.ts'

export interface IslandUser {
  readonly userKey: number
  readonly islandKey: number
}

/** What given users are to an island. */
export interface IslandViewersStore {
  readonly read: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<
    readonly (Omit<Viewer, 'userKey' | 'hasAsked'> & {
      readonly userKey: number
      /** Folded; null if there is no such user. */
      readonly username: string | null
    })[]
  >
  /** What each user is to an island, in no order. Leaves out islands that are gone. */
  readonly readPairs: (pairs: readonly IslandUser[]) => Promise<
    readonly (IslandUser & {
      readonly island: AccessFacts
      readonly viewer: Omit<Viewer, 'hasAsked'>
    })[]
  >
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
  const people = userKeys.length === 0 ? [] : await viewers.read(islandKey, userKeys)
  const byKey = new Map(people.map((person) => [person.userKey, person]))
  return (userKey: number | null) => {
    if (island === undefined) return noRights
    const { username = null, isMember = false, isBlocked = false } = byKey.get(userKey ?? 0) ?? {}
    const viewer = { userKey, isMember, isBlocked, hasAsked: false }
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
  viewers: Pick<IslandViewersStore, 'readPairs'>,
  pairs: readonly IslandUser[],
): Promise<(userKey: number, islandKey: number) => boolean> {
  const found = await viewers.readPairs(pairs)
  const allowed = found.filter(
    ({ island, viewer }) => isShown(island) && mayKnow(island, { ...viewer, hasAsked: false }),
  )
  const names = new Set(allowed.map(({ userKey, islandKey }) => `${userKey} ${islandKey}`))
  return (userKey, islandKey) => names.has(`${userKey} ${islandKey}`)
}
