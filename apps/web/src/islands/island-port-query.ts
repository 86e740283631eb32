import { getIslandPort } from '@astropelago/contract/relay-ports'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Each request admits the viewer's network for several hours. An open page keeps renewing that. */
const askAgainMs = 30 * 60_000

/** The port of an island for games, for users who may enter. */
export function islandPortQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'port'],
    queryFn: ({ signal }) => call(getIslandPort, { params: { id: islandId }, signal }),
    refetchInterval: askAgainMs,
  })
}
