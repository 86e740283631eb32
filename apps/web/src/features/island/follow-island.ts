import type { IslandView } from '@astropelago/contract/islands'
import type { IslandMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { islandLogQuery } from '../../lib/islands/island-log-query.ts'
import { islandPortQuery } from '../../lib/islands/island-port-query.ts'
import { membersQuery } from '../../lib/islands/members-query.ts'
import { islandQuery } from '../../lib/islands/island-query.ts'
import { relayedStateQuery } from '../../lib/islands/use-relayed-state.ts'

type Followed = Pick<IslandView, 'id' | 'slug'>

/** Makes the page show what the stream tells of its island. */
export async function showIslandMessage(
  client: QueryClient,
  island: Followed,
  message: IslandMessage,
): Promise<void> {
  const { queryKey } = islandQuery(island.slug)
  switch (message.type) {
    case 'island-open': {
      const { isOpen, since } = message.payload
      // An answer that was asked for before must not undo it on the screen.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (known) => known && { ...known, isOpen, since })
      // For its host alone there is one.
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

/** Asks for all that the page shows of an island anew: what one may see of it may be another. */
export async function refreshIsland(client: QueryClient, island: Followed): Promise<void> {
  await Promise.all([
    client.invalidateQueries(islandQuery(island.slug)),
    client.invalidateQueries(islandLogQuery(island.id)),
    client.invalidateQueries(membersQuery(island.id)),
    client.invalidateQueries(islandPortQuery(island.id)),
  ])
}
