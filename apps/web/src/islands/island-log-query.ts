import { readLog } from '@astropelago/contract/island-log'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** An island's log, page by page, newest first. */
export function islandLogQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.islandLog(id),
    queryFn: ({ pageParam, signal }) =>
      call(readLog, {
        params: { id },
        query: pageParam === '' ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
}
