import { listAlertMessages } from '@astropelago/contract/alerts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** What waits for its next try is looked at again so often. */
const waitingMs = 15_000

export const alertMessagesQuery = infiniteQueryOptions({
  queryKey: ['alert-messages'],
  queryFn: ({ pageParam, signal }) =>
    call(listAlertMessages, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchInterval: ({ state }) => {
    const [newest] = state.data?.pages ?? []
    const isAnyWaiting = newest?.messages.some(({ deliveries }) =>
      deliveries.some(({ state: delivery }) => delivery === 'waiting'),
    )
    return isAnyWaiting === true ? waitingMs : false
  },
})
