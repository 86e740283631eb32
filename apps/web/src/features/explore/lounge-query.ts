import { listIslands } from '@astropelago/contract/island-directory'
import { loungeSlug } from '@astropelago/contract/pages'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { listedIslandsKey } from '../../lib/islands/directory-query.ts'

/** The lounge, from the directory, which has none where its operator closed or hid it: no visit's call fails then. */
export const loungeQuery = queryOptions({
  queryKey: [listedIslandsKey, 'lounge'],
  queryFn: ({ signal }) => call(listIslands, { query: { slug: loungeSlug }, signal }),
})
