import { listActivity } from '@astropelago/contract/island-log'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** What happened on one's devices and islands, a page after the other, the newest first. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ['activity'],
  queryFn: ({ pageParam, signal }) =>
    call(listActivity, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next,
})
