import type { OwnMessage } from '@astropelago/contract/streams'
import type { QueryClient } from '@tanstack/react-query'
import { joinRequestsQuery } from '../../islands/join-requests-query.ts'
import { joinedIslandsQuery } from '../../islands/joined-islands-query.ts'
import { ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { activityQuery } from './activity/activity-query.ts'

/** Applies a message from the user's own stream to the dashboard. */
export async function showOnDashboard(client: QueryClient, message: OwnMessage): Promise<void> {
  switch (message.type) {
    case 'device':
    case 'devices':
      await client.invalidateQueries(activityQuery)
      break
    case 'island-open':
      await showOpen(client, message.payload)
      break
    case 'island-log':
      // Islands show their number of notes.
      await Promise.all([
        client.invalidateQueries(activityQuery),
        client.invalidateQueries(ownIslandsQuery),
      ])
      break
    case 'island-requests':
      await Promise.all([
        client.invalidateQueries(ownIslandsQuery),
        client.invalidateQueries(joinRequestsQuery(message.payload.id)),
      ])
      break
    case 'island-changed':
    case 'island-gone':
    case 'island-members':
    case 'islands':
    case 'reload':
      await Promise.all([
        client.invalidateQueries(ownIslandsQuery),
        client.invalidateQueries(joinedIslandsQuery),
        client.invalidateQueries(activityQuery),
      ])
      break
    case 'device-report':
    case 'reports':
      break
  }
}

type Opening = Extract<OwnMessage, { type: 'island-open' }>['payload']

async function showOpen(client: QueryClient, { id, isOpen, since }: Opening): Promise<void> {
  // Older responses must not overwrite this change.
  await Promise.all([
    client.cancelQueries(ownIslandsQuery),
    client.cancelQueries(joinedIslandsQuery),
  ])
  const change = <Island extends { readonly id: string }>(islands: Island[] | undefined) =>
    islands?.map((island) => (island.id === id ? { ...island, isOpen, since } : island))
  client.setQueryData(ownIslandsQuery.queryKey, change)
  client.setQueryData(joinedIslandsQuery.queryKey, change)
}
