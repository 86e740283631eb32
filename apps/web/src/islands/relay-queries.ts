import { getIslandDomain } from '@astropelago/contract/island-domain'
import { checkFromOutside, getRelay, getRelayedState } from '@astropelago/contract/island-relay'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** This does not change while the server runs. */
export const relayQuery = queryOptions({
  queryKey: ['relay'],
  queryFn: ({ signal }) => call(getRelay, { signal }),
  staleTime: Infinity,
})

export function islandDomainQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'domain'],
    queryFn: ({ signal }) => call(getIslandDomain, { params: { id: islandId }, signal }),
  })
}

/** The server answers from memory, and hidden tabs do not ask. */
const carriedPollMs = 5000
/** Shorter, because a host who is fixing the island waits for the result. */
const troublePollMs = 2000

export function relayedStateQuery(islandId: string) {
  return queryOptions({
    queryKey: queryKeys.relayedState(islandId),
    queryFn: ({ signal }) => call(getRelayedState, { params: { id: islandId }, signal }),
    // Refused once, it stays refused: the island is no longer relayed, or belongs to somebody else.
    refetchInterval: ({ state: { error, data } }) => {
      if (error instanceof ApiError) return false
      return data?.condition.state === 'carried' ? carriedPollMs : troublePollMs
    },
  })
}

/** Once an island is carried, it is checked from outside if it never has been. */
export function useRelayedState(islandId: string) {
  const client = useQueryClient()
  const query = useQuery(relayedStateQuery(islandId))
  const checking = useMutation({
    mutationFn: () => call(checkFromOutside, { params: { id: islandId } }),
    onSuccess: () => client.invalidateQueries(relayedStateQuery(islandId)),
  })
  const state = query.data
  // Another server may answer the next request, and it does not know the result.
  const outside = state?.outside ?? checking.data ?? null
  const isUnchecked = state?.condition.state === 'carried' && outside === null && checking.isIdle
  const { mutate } = checking
  useEffect(() => {
    if (isUnchecked) mutate()
  }, [isUnchecked, mutate])
  return { query, state, outside, checking }
}
