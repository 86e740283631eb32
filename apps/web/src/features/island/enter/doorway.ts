import { makeTicket, readDoorway, takeBackAnswer } from '@astropelago/contract/relay-access'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { call } from '../../../lib/call.ts'
import { storedValue } from '../../../lib/stored-value.ts'

/** Never cached. */
export function doorwayQuery(slug: string) {
  return queryOptions({
    queryKey: ['doorway', slug],
    queryFn: ({ signal }) => call(readDoorway, { params: { slug }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

export interface Goal {
  readonly slug: string
  /** The browser's state, from the island's host name. */
  readonly state: string
  readonly addressOf: (ticket: string) => string
}

export function useEntering({ slug, state, addressOf }: Goal) {
  return useMutation({
    /** Without `tellsName`, an earlier answer stays. */
    mutationFn: (tellsName: boolean | undefined) =>
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

/** With more islands than this, the oldest one asks again. */
const statesMax = 100

/** The most recent island comes last. */
const pressed = storedValue(
  'astropelago.browser-states',
  v.array(v.object({ slug: v.string(), state: v.string() })),
)

/** Any site can open this page with another browser's state, whose ticket lets that browser in. */
export function wasPressed(slug: string, state: string): boolean {
  return pressed.read()?.some((one) => one.slug === slug && one.state === state) === true
}

function rememberPress(slug: string, state: string): void {
  const others = (pressed.read() ?? []).filter((one) => one.slug !== slug)
  pressed.write([...others, { slug, state }].slice(-statesMax))
}
