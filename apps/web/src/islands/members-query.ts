import { listMembers, removeMember } from '@astropelago/contract/island-members'
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/call.ts'
import { ownIslandsQuery } from './own-islands-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The members of an island, latest first, page by page. For its host and its members. */
export function membersQuery(islandId: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.island(islandId), 'members'],
    queryFn: ({ signal, pageParam }) =>
      call(listMembers, {
        params: { id: islandId },
        query: pageParam === undefined ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ members, hasMore }) => (hasMore ? members.at(-1)?.username : undefined),
  })
}

/** Removes members from one of the user's islands. */
export function useRemoveMember(islandId: string) {
  const client = useQueryClient()
  return useMemo(
    () => async (username: string) => {
      await call(removeMember, { params: { id: islandId, username } })
      void client.invalidateQueries(ownIslandsQuery)
      await client.invalidateQueries(membersQuery(islandId))
    },
    [client, islandId],
  )
}
