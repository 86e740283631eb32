import type { OwnMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { islandPortQuery } from '../../../lib/islands/island-port-query.ts'
import { joinRequestsQuery } from '../../../lib/islands/join-requests-query.ts'
import { membersQuery } from '../../../lib/islands/members-query.ts'
import { ownIslandsQuery } from '../../../lib/islands/own-islands-query.ts'
import { relayedStateQuery } from '../../../lib/islands/use-relayed-state.ts'

/** Makes the settings show what the user's own stream tells of an island; what is typed stays. */
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
      // What opens and closes it may be the relay's to tell, sooner than it is asked.
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
