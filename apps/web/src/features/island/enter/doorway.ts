import { makeTicket, readDoorway, takeBackAnswer } from '@astropelago/contract/relay-access'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call } from '../../../lib/call.ts'
import { storedValue } from '../../../lib/stored-value.ts'

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

/** How many islands' browser states to remember. Beyond that, the oldest island asks again. */
const keptMax = 100

/** The last state of each island, most recent island last. */
const kept = storedValue(
  'astropelago.browser-states',
  v.array(v.object({ slug: v.string(), state: v.string() })),
)

/**
 * Whether a user of this browser has entered with that state before. Any site can open this page with
 * another browser's state, and the ticket would then let that other browser in.
 */
export function wasPressed(slug: string, state: string): boolean {
  return kept.read()?.some((one) => one.slug === slug && one.state === state) === true
}

function rememberPress(slug: string, state: string): void {
  const others = (kept.read() ?? []).filter((one) => one.slug !== slug)
  kept.write([...others, { slug, state }].slice(-keptMax))
}
