import { checkFromOutside, getRelayedState } from '@astropelago/contract/island-relay'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '../api-error.ts'
import { call } from '../call.ts'

/** The server answers from memory; while the tab is hidden nobody asks. */
const carriedPollMs = 5000
/** Somebody who mends it looks at the page for what comes of it. */
const troublePollMs = 2000

export function relayedStateQuery(islandId: string) {
  return queryOptions({
    queryKey: ['relayed-state', islandId],
    queryFn: ({ signal }) => call(getRelayedState, { params: { id: islandId }, signal }),
    // What was refused will be refused again: the island is not relayed any more, or not one's own.
    refetchInterval: ({ state: { error, data } }) => {
      if (error instanceof ApiError) return false
      return data?.condition.state === 'carried' ? carriedPollMs : troublePollMs
    },
  })
}

/**
 * How an island of one's own stands that the relay carries, followed for as long as the component is there.
 * Once it is carried and has never been opened from outside, it is, by itself.
 */
export function useRelayedState(islandId: string) {
  const client = useQueryClient()
  const query = useQuery(relayedStateQuery(islandId))
  const checking = useMutation({
    mutationFn: () => call(checkFromOutside, { params: { id: islandId } }),
    onSuccess: () => client.invalidateQueries(relayedStateQuery(islandId)),
  })
  const state = query.data
  // Another server than the one that did it may answer next, and does not know.
  const outside = state?.outside ?? checking.data ?? null
  const isUnchecked = state?.condition.state === 'carried' && outside === null && checking.isIdle
  const { mutate } = checking
  useEffect(() => {
    if (isUnchecked) mutate()
  }, [isUnchecked, mutate])
  return { query, state, outside, checking }
}
