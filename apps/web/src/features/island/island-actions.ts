import { joinIsland, leaveIsland } from '@astropelago/contract/island-members'
import type { IslandView } from '@astropelago/contract/islands'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { islandQuery } from '../../islands/island-query.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type Joined = Pick<IslandView, 'id' | 'slug'>

/** Joins an island, or asks to join. The island's access policy decides which. */
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

/** Leaves an island, or withdraws a request to join. */
export function useLeave(island: Joined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(leaveIsland, { params: { id: island.id } }),
    onSuccess: () => refreshIsland(client, island),
  })
}

/** Asks for everything on the page again, because the viewer's permissions have changed. */
async function refreshIsland(client: QueryClient, { id }: Joined): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.islandViews }),
    client.invalidateQueries({ queryKey: queryKeys.island(id) }),
  ])
}
