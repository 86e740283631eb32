import { listIslands } from '@astropelago/contract/island-directory'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../call.ts'
import { listedIslandsKey } from './directory-query.ts'

const refetchMs = 60_000

/** Listed islands whose door is everybody's, open ones first. */
export const publicIslandsQuery = queryOptions({
  queryKey: [listedIslandsKey, 'public'],
  queryFn: ({ signal }) => call(listIslands, { query: { door: 'public', sort: 'open' }, signal }),
  refetchInterval: refetchMs,
})
