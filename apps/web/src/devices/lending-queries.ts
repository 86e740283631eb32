import { listOwnLocations } from '@astropelago/contract/check-locations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

const pollMs = 30_000

export const ownLocationsQuery = queryOptions({
  queryKey: queryKeys.ownLocations,
  queryFn: ({ signal }) => call(listOwnLocations, { signal }),
  refetchInterval: pollMs,
})
