import type { OwnMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { islandPortQuery } from '../../../islands/island-port-query.ts'
import { joinRequestsQuery } from '../../../islands/join-requests-query.ts'
import { membersQuery } from '../../../islands/members-query.ts'
import { ownIslandsQuery } from '../../../islands/own-islands-query.ts'
import { relayedStateQuery } from '../../../islands/use-relayed-state.ts'

/** Applies a message from the user's own stream to the settings. Unsaved edits stay. */
export async function showInSettings(
  client: QueryClient,
  islandId: string,
  message: OwnMessage,
): Promise<void> {
  const islands = () =>
    Promise.all([
      client.invalidateQueries(ownIslandsQuery),
      client.invalidateQueries(islandPortQuery(islandId)),
    ])
  const members = () => client.invalidateQueries(membersQuery(islandId))
  const requests = () => client.invalidateQueries(joinRequestsQuery(islandId))
  switch (message.type) {
    case 'island-open':
      // The relay may have opened or closed the island, so its state is reloaded without waiting for the
      // next poll.
      await Promise.all([islands(), client.invalidateQueries(relayedStateQuery(islandId))])
      break
    case 'island-changed':
    case 'island-gone':
    case 'islands':
      await islands()
      break
    case 'island-members':
      await Promise.all([islands(), members()])
      break
    case 'island-requests':
      await Promise.all([islands(), requests()])
      break
    case 'reload':
      await Promise.all([islands(), members(), requests()])
      break
    case 'device':
    case 'devices':
    case 'device-report':
    case 'island-log':
    case 'reports':
      break
  }
}
