import { getUser, listUserDevices, listUsers } from '@astropelago/contract/operator'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

const pageLength = '50'

/** Users by username, a page after the other; the last ones stay while others are looked for. */
export function useUsers(search: string) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'users', search],
    queryFn: ({ pageParam, signal }) =>
      call(listUsers, {
        query: {
          limit: pageLength,
          ...(search !== '' && { search }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ users, hasMore }) => (hasMore ? users.at(-1)?.username : undefined),
    placeholderData: keepPreviousData,
  })
}

export function useOneUser(username: string) {
  return useQuery({
    queryKey: [operatorKey, 'user', username],
    queryFn: ({ signal }) => call(getUser, { params: { username }, signal }),
  })
}

export function useUserDevices(username: string) {
  return useQuery({
    queryKey: [operatorKey, 'user-devices', username],
    queryFn: ({ signal }) => call(listUserDevices, { params: { username }, signal }),
  })
}
