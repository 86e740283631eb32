import { avatarPath } from '@astropelago/contract/avatars'
import type { IslandView } from '@astropelago/contract/islands'
import { enterPath } from '@astropelago/contract/relay-access'
import { mayEnter, mayJoin, mayNote, roleOf } from './access-policy.ts'
import { findIfVisibleBySlug } from './find-island.ts'
import { readVisibleOpenness } from './island-openness.ts'
import type { IslandsContext } from './islands-context.ts'
import { addressOf, presentCard, presentOrders, presentTexts, readCard } from './present-island.ts'

/**
 * An island's front page by its slug or an old one; undefined if the viewer may not see it. A null key means
 * not signed in.
 */
export async function viewIsland(
  context: IslandsContext,
  viewerKey: number | null,
  slug: string,
  isOperator = false,
): Promise<IslandView | undefined> {
  const { islands, presence, relayAddress } = context
  const found = await findIfVisibleBySlug(context, viewerKey, slug)
  if (found === undefined) return undefined
  const { island, viewer, memberCount } = found
  const visible = await islands.listNeighbours(viewerKey, island.key)
  const neighbours = await Promise.all(visible.map((neighbour) => readCard(neighbour, presence)))
  const openness = await readVisibleOpenness(found, presence)
  const role = roleOf(island, viewer)
  const isEntered = mayEnter(island, viewer)
  const isPaused = openness.pause !== null
  // A pause keeps out neither operators nor the host.
  const isLetIn = isEntered && (!isPaused || role === 'host' || isOperator)
  const address = isLetIn ? addressOf(island, relayAddress) : null
  const isIdentified = isPaused && island.isRelayed
  return {
    ...presentCard(island, openness),
    hostAvatar: avatarPath(island.hostAvatar),
    ...presentTexts(island),
    isListed: island.isListed,
    memberCount,
    role,
    mayEnter: isEntered,
    // Those let in during a pause have to identify themselves at the relay.
    address: address !== null && isIdentified ? new URL(enterPath, address).href : address,
    isRelayed: island.isRelayed,
    mayJoin: mayJoin(island, viewer),
    mayNote: mayNote(island, viewer),
    neighbours,
    ...(role === 'host' ? presentOrders(island) : { hidden: null, relayStopped: null }),
  }
}
