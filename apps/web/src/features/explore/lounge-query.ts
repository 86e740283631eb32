import { listIslands } from '@astropelago/contract/island-directory'
import { loungeSlug } from '@astropelago/contract/pages'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/**
 * Reads the lounge from the directory, so that the request succeeds even if the operator has closed or
 * hidden it.
 */
export const loungeQuery = queryOptions({
  queryKey: [...queryKeys.listedIslands, 'lounge'],
  queryFn: ({ signal }) => call(listIslands, { query: { slug: loungeSlug }, signal }),
})
