import { listOwnChecks } from '@astropelago/contract/checks'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

export const ownChecksQuery = queryOptions({
  queryKey: queryKeys.ownChecks,
  queryFn: ({ signal }) => call(listOwnChecks, { signal }),
})
