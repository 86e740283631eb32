import { getRelay } from '@astropelago/contract/island-relay'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'

/** Whether this server has a relay, which it has for as long as it runs. */
export const relayQuery = queryOptions({
  queryKey: ['relay'],
  queryFn: ({ signal }) => call(getRelay, { signal }),
  staleTime: Infinity,
})
