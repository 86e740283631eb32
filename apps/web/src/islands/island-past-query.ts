import { readIslandHistory, readIslandUptime } from '@astropelago/contract/island-history'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Uptime changes every minute, even without an event. */
const agingMs = 60_000

/** When an island was open, as far as the viewer may know. */
export function islandPastQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(id), 'past'],
    queryFn: async ({ signal }) => {
      const [history, uptime] = await Promise.all([
        call(readIslandHistory, { params: { id }, query: {}, signal }),
        call(readIslandUptime, { params: { id }, signal }),
      ])
      return { ...history, windows: uptime.windows }
    },
    refetchInterval: agingMs,
  })
}
