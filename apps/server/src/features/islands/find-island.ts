import { DomainError } from '../../domain-error.ts'
import { isHost, mayKnow } from './doors.ts'
import type { FoundIsland, IslandsStore } from './islands-store.ts'

/**
 * An island that the viewer may know of; null is who is not signed in. For all others it takes and gives
 * what one that is not there does.
 * @throws DomainError `not_found`
 */
export async function findKnownIsland(
  store: Pick<IslandsStore, 'findById'>,
  viewerKey: number | null,
  id: string,
): Promise<FoundIsland> {
  return known(await store.findById(viewerKey, id))
}

/** The same by its slug, or one that it had after `oldSinceMs`. @throws DomainError `not_found` */
export async function findKnownIslandBySlug(
  store: Pick<IslandsStore, 'findBySlug'>,
  viewerKey: number | null,
  { slug, oldSinceMs }: { readonly slug: string; readonly oldSinceMs: number },
): Promise<FoundIsland> {
  return known(await store.findBySlug(viewerKey, slug.toLowerCase(), oldSinceMs))
}

/** An island of the user's own. @throws DomainError `not_found` */
export async function findHostedIsland(
  store: Pick<IslandsStore, 'findById'>,
  userKey: number,
  id: string,
): Promise<FoundIsland> {
  const found = await store.findById(userKey, id)
  if (found === undefined || !isHost(found.island, found.viewer)) throw new DomainError('not_found')
  return found
}

/** What was found, and undefined where that is `not_found`. */
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
