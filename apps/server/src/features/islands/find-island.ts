import { DomainError } from '../../domain-error.ts'
import { isHost, mayKnow } from './access-policy.ts'
import type { FoundIsland, IslandsStore } from './islands-store.ts'

/**
 * Finds an island that the viewer may see; a null key means not signed in. For any other island, answer and
 * time taken are those of one that does not exist.
 * @throws DomainError `not_found`
 */
export async function findVisibleIsland(
  store: Pick<IslandsStore, 'findById'>,
  viewerKey: number | null,
  id: string,
): Promise<FoundIsland> {
  return known(await store.findById(viewerKey, id))
}

/**
 * Finds it by its slug, or by one that was replaced after `oldSinceMs`.
 * @throws DomainError `not_found`
 */
export async function findVisibleIslandBySlug(
  store: Pick<IslandsStore, 'findBySlug'>,
  viewerKey: number | null,
  { slug, oldSinceMs }: { readonly slug: string; readonly oldSinceMs: number },
): Promise<FoundIsland> {
  return known(await store.findBySlug(viewerKey, slug.toLowerCase(), oldSinceMs))
}

/**
 * Finds one of the user's own islands.
 * @throws DomainError `not_found`
 */
export async function findHostedIsland(
  store: Pick<IslandsStore, 'findById'>,
  userKey: number,
  id: string,
): Promise<FoundIsland> {
  const found = await store.findById(userKey, id)
  if (found === undefined || !isHost(found.island, found.viewer)) throw new DomainError('not_found')
  return found
}

/** Returns undefined instead of throwing `not_found`. */
export async function unlessUnknown<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return undefined
    throw error
  }
}

function known(found: FoundIsland | undefined): FoundIsland {
  if (found === undefined || !mayKnow(found.island, found.viewer)) {
    throw new DomainError('not_found')
  }
  return found
}
