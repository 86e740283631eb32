import { listJoinedIslands } from '@astropelago/contract/islands'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The islands that the user is a member of. */
export const joinedIslandsQuery = queryOptions({
  queryKey: queryKeys.joinedIslands,
  queryFn: ({ signal }) => call(listJoinedIslands, { signal }),
})
