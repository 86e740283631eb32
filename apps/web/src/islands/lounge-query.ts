import { listIslands } from '@astropelago/contract/island-directory'
import { loungeSlug } from '@astropelago/contract/pages'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** From the directory, so that the request succeeds even if the lounge is closed or hidden. */
export const loungeQuery = queryOptions({
  queryKey: [...queryKeys.listedIslands, 'lounge'],
  queryFn: ({ signal }) => call(listIslands, { query: { slug: loungeSlug }, signal }),
})
