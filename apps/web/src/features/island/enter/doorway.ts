import { makeTicket, readDoorway, takeBackAnswer } from '@astropelago/contract/relay-access'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { rememberPress } from './pressed-states.ts'

/** An island's entrance as the user may use it. Never cached. */
export function doorwayQuery(slug: string) {
  return queryOptions({
    queryKey: ['doorway', slug],
    queryFn: ({ signal }) => call(readDoorway, { params: { slug }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** The entrance that a browser comes from. */
export interface Goal {
  readonly slug: string
  /** The browser's state, from the island's host name. */
  readonly state: string
  readonly addressOf: (ticket: string) => string
}

/** Stores whether the island may know the user's name, and leaves for the island. */
export function useEntering({ slug, state, addressOf }: Goal) {
  return useMutation({
    mutationFn: (tellsName: boolean) =>
      call(makeTicket, { params: { slug }, body: { state, tellsName } }),
    // The Back button must not return to a used state.
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
