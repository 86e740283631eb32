import { joinIsland, leaveIsland } from '@astropelago/contract/island-members'
import type { IslandView } from '@astropelago/contract/islands'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { islandQuery } from '../../lib/islands/island-query.ts'
import { refreshIsland } from './follow-island.ts'

type Joined = Pick<IslandView, 'id' | 'slug'>

/** Becomes a member, or asks to: which of the two is the island's door's to say. */
export function useJoin(island: Joined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => call(joinIsland, { params: { id: island.id }, body: { text } }),
    onSuccess: async ({ role }) => {
      client.setQueryData(islandQuery(island.slug).queryKey, (known) => known && { ...known, role })
      await refreshIsland(client, island)
    },
  })
}

/** Ends a membership, or takes back what was asked. */
export function useLeave(island: Joined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(leaveIsland, { params: { id: island.id } }),
    onSuccess: () => refreshIsland(client, island),
  })
}
