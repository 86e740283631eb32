import { DomainError } from '../../domain-error.ts'
import { isHost, mayEnter, mayKnow } from './access-policy.ts'
import type { IslandsContext } from './islands-context.ts'
import type { FoundIsland, IslandsStore } from './islands-store.ts'
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
