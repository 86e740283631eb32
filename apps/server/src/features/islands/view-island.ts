import type { IslandView } from '@astropelago/contract/islands'
import type { Clock } from '../../clock.ts'
import type { RelayAddress } from '../../relay-address.ts'
import { findVisibleIslandBySlug, unlessUnknown } from './find-island.ts'
import { readVisibleOpenness, type CarrierPresence } from './island-openness.ts'
import type { IslandsStore } from './islands-store.ts'
import { presentCard, presentView } from './present-island.ts'
import { oldSlugMs } from './slugs.ts'

interface ViewIslandDeps {
  readonly store: Pick<IslandsStore, 'findBySlug' | 'listNeighbours'>
  readonly presence: CarrierPresence
  readonly clock: Clock
  readonly relayAddress: RelayAddress
}

/**
 * An island's front page as a viewer may see it, by its slug or an old one; a null key means not signed in.
 * @throws DomainError `not_found`
 */
export async function viewIsland(
  { store, presence, clock, relayAddress }: ViewIslandDeps,
  viewerKey: number | null,
  slug: string,
  isOperator = false,
): Promise<IslandView> {
  const oldSinceMs = clock() - oldSlugMs
  const found = await findVisibleIslandBySlug(store, viewerKey, { slug, oldSinceMs })
  const known = await store.listNeighbours(viewerKey, found.island.key)
  const cards = known.map(async (neighbour) =>
    presentCard(neighbour.island, await readVisibleOpenness(neighbour, presence)),
  )
  const openness = await readVisibleOpenness(found, presence)
  const neighbours = await Promise.all(cards)
  return presentView(found, { openness, relayAddress, isOperator, neighbours })
}

/** Returns undefined if the viewer may not see it. */
export async function findIslandView(
  deps: ViewIslandDeps,
  viewerKey: number | null,
  slug: string,
): Promise<IslandView | undefined> {
  return await unlessUnknown(() => viewIsland(deps, viewerKey, slug))
}
