import { getIslandPort } from '@astropelago/contract/relay-ports'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** Each time it is asked it lets the viewer's network in for hours: an open page keeps it so. */
const askAgainMs = 30 * 60_000

/** The port of an island for games, for those who may enter. */
export function islandPortQuery(islandId: string) {
  return queryOptions({
    queryKey: ['island-port', islandId],
    queryFn: ({ signal }) => call(getIslandPort, { params: { id: islandId }, signal }),
    refetchInterval: askAgainMs,
  })
}
