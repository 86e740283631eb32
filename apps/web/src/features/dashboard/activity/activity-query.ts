import { listActivity } from '@astropelago/contract/island-log'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { queryKeys } from '../../../lib/query-keys.ts'

/** The activity of the user's devices and islands, page by page, newest first. */
export const activityQuery = infiniteQueryOptions({
  queryKey: queryKeys.activity,
  queryFn: ({ pageParam, signal }) =>
    call(listActivity, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})
