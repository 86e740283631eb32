import {
  listRooms,
  listRoomsAsOperator,
  type Moderation,
  moderateRoom,
  moderateRoomAsOperator,
  readRoom,
  readRoomAsOperator,
} from '@astropelago/contract/rooms'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** An island's rooms, as its host or an operator may see them. */
export interface RoomsOf {
  readonly islandId: string
  readonly by: 'host' | 'operator'
}

const routes = {
  host: { list: listRooms, read: readRoom, moderate: moderateRoom },
  operator: {
    list: listRoomsAsOperator,
    read: readRoomAsOperator,
    moderate: moderateRoomAsOperator,
  },
} as const

const listFreshMs = 15_000
const roomFreshMs = 4000

/** Only while the page is visible are rooms loaded again and again. */
export function roomsQuery({ islandId, by }: RoomsOf) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'rooms', by],
    queryFn: ({ signal }) => call(routes[by].list, { params: { id: islandId }, signal }),
    refetchInterval: listFreshMs,
  })
}

export function roomQuery({ islandId, by }: RoomsOf, room: string) {
  return queryOptions({
    queryKey: [...roomsQuery({ islandId, by }).queryKey, room],
    queryFn: ({ signal }) => call(routes[by].read, { params: { id: islandId, room }, signal }),
    refetchInterval: ({ state }) => (state.error === null ? roomFreshMs : false),
  })
}

/** Resolves once the page shows the change. */
export function useModerate({ islandId, by }: RoomsOf, room: string) {
  const client = useQueryClient()
  return async (action: Moderation) => {
    await call(routes[by].moderate, { params: { id: islandId, room }, body: action })
    await client.invalidateQueries({ queryKey: roomsQuery({ islandId, by }).queryKey })
  }
}
