import { isShown, mayEnter, mayKnow, roleOf, type AccessFacts } from './access-policy.ts'
import type { IslandsStore } from './islands-store.ts'
import type { IslandUser, IslandViewersStore } from './island-viewers-store.ts'

/** A user's rights on one island, read at one time. */
export interface IslandRights {
  readonly mayKnow: boolean
  /** Includes reading its log. */
  readonly mayEnter: boolean
  /** Whether a pause does not apply: true for its host and operators. */
  readonly entersPaused: boolean
  /** Whether they host it or are a member, even if they may not see it now. */
  readonly isOwn: boolean
}

/** The rights of a user; a null key means not signed in. */
export type RightsOf = (userKey: number | null) => IslandRights

const nobody: IslandRights = {
  mayKnow: false,
  mayEnter: false,
  entersPaused: false,
  isOwn: false,
}

interface IslandViewersDeps {
  readonly store: Pick<IslandsStore, 'read'>
  readonly viewers: IslandViewersStore
  /** Folded usernames. */
  readonly operators: ReadonlySet<string>
}

/** The rights of many users on one island, read with two queries. */
export async function readRights(
  { store, viewers, operators }: IslandViewersDeps,
  islandKey: number,
  userKeys: readonly number[],
): Promise<RightsOf> {
  const [island] = await store.read([islandKey])
  if (island === undefined) return () => nobody
  const people = userKeys.length === 0 ? [] : await viewers.read(islandKey, userKeys)
  const byKey = new Map(people.map((viewer) => [viewer.userKey, viewer]))
  return (userKey) => {
    const { username = null, ...is } = byKey.get(userKey ?? 0) ?? {}
    return rightsOf(island, { userKey, ...is, isOperator: operators.has(username ?? '') })
  }
}

function rightsOf(
  island: AccessFacts,
  {
    userKey,
    isMember = false,
    isBlocked = false,
    isOperator,
  }: {
    readonly userKey: number | null
    readonly isMember?: boolean
    readonly isBlocked?: boolean
    readonly isOperator: boolean
  },
): IslandRights {
  const viewer = { userKey, isMember, isBlocked, hasAsked: false }
  const role = roleOf(island, viewer)
  return {
    mayKnow: mayKnow(island, viewer),
    mayEnter: mayEnter(island, viewer),
    entersPaused: role === 'host' || isOperator,
    isOwn: role === 'host' || role === 'member',
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
  const told = new Set(
    found
      .filter(
        ({ island, viewer }) => isShown(island) && mayKnow(island, { ...viewer, hasAsked: false }),
      )
      .map(({ userKey, islandKey }) => `${userKey} ${islandKey}`),
  )
  return (userKey, islandKey) => told.has(`${userKey} ${islandKey}`)
}
