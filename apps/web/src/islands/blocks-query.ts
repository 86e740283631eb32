import { blockUser, listBlocks, unblockUser } from '@astropelago/contract/island-members'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/call.ts'
import { joinRequestsQuery } from './join-requests-query.ts'
import { membersQuery } from './members-query.ts'
import { ownIslandsQuery } from './own-islands-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** The users blocked from one of the user's islands, latest first. */
export function blocksQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'blocks'],
    queryFn: ({ signal }) => call(listBlocks, { params: { id: islandId }, signal }),
  })
}

/** Blocks and unblocks users. Blocking also ends a membership and drops a join request. */
export function useBlockChanges(islandId: string) {
  const client = useQueryClient()
  return useMemo(() => {
    const changed = async () => {
      void client.invalidateQueries(ownIslandsQuery)
      void client.invalidateQueries(membersQuery(islandId))
      void client.invalidateQueries(joinRequestsQuery(islandId))
      await client.invalidateQueries(blocksQuery(islandId))
    }
    return {
      block: async (username: string) => {
        await call(blockUser, { params: { id: islandId, username } })
        await changed()
      },
      unblock: async (username: string) => {
        await call(unblockUser, { params: { id: islandId, username } })
        await changed()
      },
    }
  }, [client, islandId])
}
