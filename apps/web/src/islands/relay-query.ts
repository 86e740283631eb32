import { getRelay } from '@astropelago/contract/island-relay'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'

/** Whether the server has a relay. This does not change while it runs. */
export const relayQuery = queryOptions({
  queryKey: ['relay'],
  queryFn: ({ signal }) => call(getRelay, { signal }),
  staleTime: Infinity,
})
