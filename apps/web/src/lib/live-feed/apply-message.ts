import type { IslandMessage, OwnMessage } from '@astropelago/contract/streams'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'

type Message = OwnMessage | IslandMessage

const { activity, device, devices, island, islands, islandViews } = queryKeys
const { joinedIslands, logs, ownDevices, ownIslands } = queryKeys

const ofIsland = (id: string) => [
  island(id),
  islandViews,
  logs,
  ownIslands,
  joinedIslands,
  activity,
]

const everything = [devices, islands, activity]

/** The queries that each message makes stale, by the id in it. Those on the screen are asked again at once. */
const staleKeys: Readonly<Record<Message['type'], (id: string) => readonly QueryKey[]>> = {
  device: (id) => [ownDevices, device(id), activity],
  'device-report': (id) => [ownDevices, device(id)],
  devices: () => [devices, activity],
  'island-open': (id) => [queryKeys.relayedState(id), logs, ownIslands],
  'island-log': (id) => [queryKeys.islandLog(id), logs, ownIslands, activity],
  'island-requests': (id) => [queryKeys.islandRequests(id), ownIslands],
  'island-changed': ofIsland,
  'island-gone': ofIsland,
  'island-members': ofIsland,
  islands: () => [ownIslands, joinedIslands, logs, activity],
  'changed-before': () => everything,
  reload: () => everything,
  reports: () => [],
}

/** Shows what a message of the user's own stream, or of an island's, has changed. */
export async function applyMessage(client: QueryClient, message: Message): Promise<void> {
  if (message.type === 'island-open') await showOpening(client, message.payload)
  const keys = staleKeys[message.type]('payload' in message ? message.payload.id : '')
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

type Opening = Extract<Message, { type: 'island-open' }>['payload']

async function showOpening(client: QueryClient, { id, isOpen, since }: Opening): Promise<void> {
  const withOpening = <Shown extends { readonly id: string }>(shown: Shown) =>
    shown.id === id ? { ...shown, isOpen, since } : shown
  const keys: readonly QueryKey[] = [ownIslands, joinedIslands, islandViews]
  const underway = keys.flatMap((queryKey) =>
    client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }),
  )
  // Older answers must not overwrite this change, so what was under way is asked again.
  await Promise.all(keys.map((queryKey) => client.cancelQueries({ queryKey })))
  type Islands = readonly { readonly id: string }[]
  for (const queryKey of [ownIslands, joinedIslands]) {
    client.setQueryData<Islands>(queryKey, (shown) => shown?.map(withOpening))
  }
  client.setQueriesData<Islands[number]>(
    { queryKey: islandViews },
    (shown) => shown && withOpening(shown),
  )
  await Promise.all(
    underway.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })),
  )
}
