import { listIslands } from '@astropelago/contract/island-directory'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'
import { listedIslandsKey } from './directory-query.ts'

const refetchMs = 60_000

/** What everybody can enter now, signed in or not: listed islands with a public door. */
export const openIslandsQuery = queryOptions({
  queryKey: [listedIslandsKey, 'open-now'],
  queryFn: ({ signal }) =>
    call(listIslands, { query: { state: 'open', door: 'public', sort: 'open' }, signal }),
  refetchInterval: refetchMs,
})
