import { DomainError } from '../../domain-error.ts'
import { isHost, isShown, mayEnter, mayKnow, roleOf, signedOutViewer } from './access-policy.ts'
import type { IslandsContext } from './islands-context.ts'
import type { FoundIsland, IslandsStore, IslandUser } from './islands-store.ts'
import { oldSlugMs } from './slugs.ts'

export function isVisible({ island, viewer }: FoundIsland): boolean {
  return mayKnow(island, viewer)
}

export function isReadable({ island, viewer }: FoundIsland): boolean {
  return mayEnter(island, viewer)
}

/** Null means not signed in. Takes as long for a hidden island as for one that does not exist. */
export async function findIfVisible(
  islands: Pick<IslandsStore, 'findById'>,
  viewerKey: number | null,
  id: string,
): Promise<FoundIsland | undefined> {
  const found = await islands.findById(viewerKey, id)
  return found !== undefined && isVisible(found) ? found : undefined
}

export async function findIfVisibleBySlug(
  { islands, clock }: Pick<IslandsContext, 'islands' | 'clock'>,
  viewerKey: number | null,
  slug: string,
): Promise<FoundIsland | undefined> {
  const found = await islands.findBySlug(viewerKey, slug.toLowerCase(), clock() - oldSlugMs)
  return found !== undefined && isVisible(found) ? found : undefined
}

/** @throws DomainError `not_found` */
export async function findVisibleIsland(
  islands: Pick<IslandsStore, 'findById'>,
  viewerKey: number | null,
  id: string,
): Promise<FoundIsland> {
  const found = await findIfVisible(islands, viewerKey, id)
  if (found === undefined) throw new DomainError('not_found')
  return found
}

/** @throws DomainError `not_found` unless the user hosts it */
export async function findHostedIsland(
  islands: Pick<IslandsStore, 'findById'>,
  userKey: number,
  id: string,
): Promise<FoundIsland> {
  const found = await islands.findById(userKey, id)
  if (found === undefined || !isHost(found.island, found.viewer)) throw new DomainError('not_found')
  return found
}

const noRights = { mayKnow: false, mayEnter: false, entersPaused: false, isOwn: false }

/**
 * The rights of many users on one island, read with two queries. A null key means not signed in.
 * @param operators folded usernames
 */
export async function readRights(
  islands: Pick<IslandsStore, 'read' | 'readViewers'>,
  operators: ReadonlySet<string>,
  islandKey: number,
  userKeys: readonly number[],
) {
  const [island] = await islands.read([islandKey])
  const people = await islands.readViewers(userKeys.map((userKey) => ({ userKey, islandKey })))
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
