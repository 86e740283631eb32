import type { IslandView } from '@astropelago/contract/islands'
import type { IslandMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { islandLogQuery } from '../../islands/island-log-query.ts'
import { islandPortQuery } from '../../islands/island-port-query.ts'
import { membersQuery } from '../../islands/members-query.ts'
import { islandQuery } from '../../islands/island-query.ts'
import { relayedStateQuery } from '../../islands/use-relayed-state.ts'

type Followed = Pick<IslandView, 'id' | 'slug'>

/** Applies a message from the stream to the island's page. */
export async function showIslandMessage(
  client: QueryClient,
  island: Followed,
  message: IslandMessage,
): Promise<void> {
  const { queryKey } = islandQuery(island.slug)
  switch (message.type) {
    case 'island-open': {
      const { isOpen, since } = message.payload
      // An older response must not overwrite this change.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && { ...known, isOpen, since })
      // Only the host has this query.
      await client.invalidateQueries(relayedStateQuery(island.id))
      break
    }
    case 'island-log':
      await client.invalidateQueries(islandLogQuery(island.id))
      break
    case 'island-changed':
    case 'island-gone':
    case 'island-members':
    case 'reload':
      await refreshIsland(client, island)
      break
  }
}

/**
 * Reloads everything that the page shows of an island, because the viewer's permissions may have changed.
 */
export async function refreshIsland(client: QueryClient, island: Followed): Promise<void> {
  await Promise.all([
    client.invalidateQueries(islandQuery(island.slug)),
    client.invalidateQueries(islandLogQuery(island.id)),
    client.invalidateQueries(membersQuery(island.id)),
    client.invalidateQueries(islandPortQuery(island.id)),
  ])
}
