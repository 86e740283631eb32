import { makeTicket, readDoorway, takeBackAnswer } from '@astropelago/contract/relay-doors'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { rememberPress } from './pressed-states.ts'

/** An island's door as the user stands before it; asked anew each time. */
export function doorwayQuery(slug: string) {
  return queryOptions({
    queryKey: ['doorway', slug],
    queryFn: ({ signal }) => call(readDoorway, { params: { slug }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Where a browser wants to be let in. */
export interface Goal {
  readonly slug: string
  /** Of the browser, as the island's host name gave it. */
  readonly state: string
  readonly addressOf: (ticket: string) => string
}

/** Says whether the island may know who comes, and leaves for it. */
export function useEntering({ slug, state, addressOf }: Goal) {
  return useMutation({
    mutationFn: (tellsName: boolean) =>
      call(makeTicket, { params: { slug }, body: { state, tellsName } }),
    // What is used up must not be in the way back.
    onSuccess: ({ ticket }) => {
      rememberPress(slug, state)
      window.location.replace(addressOf(ticket))
    },
  })
}

export function useTakeBack(slug: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(takeBackAnswer, { params: { slug } }),
    onSuccess: () => client.invalidateQueries(doorwayQuery(slug)),
  })
}
