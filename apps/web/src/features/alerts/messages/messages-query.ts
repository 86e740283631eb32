import { listAlertMessages } from '@astropelago/contract/alerts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** How often to check deliveries that wait for a retry. */
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
