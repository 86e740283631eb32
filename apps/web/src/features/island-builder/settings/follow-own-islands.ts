import type { OwnMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { joinRequestsQuery } from '../../../lib/islands/join-requests-query.ts'
import { membersQuery } from '../../../lib/islands/members-query.ts'
import { ownIslandsQuery } from '../../../lib/islands/own-islands-query.ts'

/** Makes the settings show what the user's own stream tells of an island; what is typed stays. */
export async function showInSettings(
  client: QueryClient,
  islandId: string,
  message: OwnMessage,
): Promise<void> {
  const islands = () => client.invalidateQueries(ownIslandsQuery)
  const members = () => client.invalidateQueries(membersQuery(islandId))
  const requests = () => client.invalidateQueries(joinRequestsQuery(islandId))
  switch (message.type) {
    case 'island-open':
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
    case 'island-log':
    case 'reports':
      break
  }
}
