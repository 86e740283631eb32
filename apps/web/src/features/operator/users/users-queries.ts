import {
  getUser,
  listUserDevices,
  listUsers,
  type UserKind,
  type UserSort,
} from '@astropelago/contract/operator'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { operatorKey } from '../operator-query.ts'

const pageLength = '50'

interface WantedUsers {
  readonly search: string
  readonly only: UserKind | undefined
  readonly sort: UserSort | undefined
}

/** Users, page by page. The last pages stay while others load. */
export function useUsers({ search, only, sort }: WantedUsers) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'users', search, only, sort],
    queryFn: ({ pageParam, signal }) =>
      call(listUsers, {
        query: {
          limit: pageLength,
          ...(search !== '' && { search }),
          ...(only !== undefined && { only }),
          ...(sort !== undefined && { sort }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
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
