import {
  closeIsland,
  continueIsland,
  createIsland,
  type IslandChanges,
  listJoinedIslands,
  listOwnIslands,
  type OwnIsland,
  pauseIsland,
  publishIsland,
  renameSlug,
  updateIsland,
} from '@astropelago/contract/islands'
import type { BodyInput } from '@astropelago/contract/route'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/call.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** Including drafts, newest first. */
export const ownIslandsQuery = queryOptions({
  queryKey: queryKeys.ownIslands,
  queryFn: ({ signal }) => call(listOwnIslands, { signal }),
})

export function isDraft({ publishedAt }: Pick<OwnIsland, 'publishedAt'>): boolean {
  return publishedAt === null
}

type Change = (islands: readonly OwnIsland[]) => OwnIsland[]

/** Changes show on the page at once. Then the list is fetched again. */
export function useOwnIslandChanges() {
  const client = useQueryClient()
  return useMemo(() => {
    const show = async (change: Change) => {
      // The answer to an earlier request must not undo the change on the screen.
      await client.cancelQueries(ownIslandsQuery)
      client.setQueryData(ownIslandsQuery.queryKey, (islands) => islands && change(islands))
      void client.invalidateQueries(ownIslandsQuery)
    }
    const showChanged = async (changed: OwnIsland) => {
      await show((islands) =>
        islands.map((island) => (island.id === changed.id ? changed : island)),
      )
      return changed
    }
    return {
      create: async (body: BodyInput<typeof createIsland>): Promise<OwnIsland> => {
        const island = await call(createIsland, { body })
        await show((islands) => [island, ...islands])
        return island
      },
      update: async (id: string, body: IslandChanges) =>
        showChanged(await call(updateIsland, { params: { id }, body })),
      publish: async (id: string, body: BodyInput<typeof publishIsland>) =>
        showChanged(await call(publishIsland, { params: { id }, body })),
      renameSlug: async (id: string, slug: string) =>
        showChanged(await call(renameSlug, { params: { id }, body: { slug } })),
      pause: async (id: string, body: BodyInput<typeof pauseIsland>) =>
        showChanged(await call(pauseIsland, { params: { id }, body })),
      continueAgain: async (id: string) =>
        showChanged(await call(continueIsland, { params: { id } })),
      close: async ({ id, slug }: OwnIsland): Promise<void> => {
        await call(closeIsland, { params: { id }, body: { slug } })
        await show((islands) => islands.filter((island) => island.id !== id))
      },
    }
  }, [client])
}

export const joinedIslandsQuery = queryOptions({
  queryKey: queryKeys.joinedIslands,
  queryFn: ({ signal }) => call(listJoinedIslands, { signal }),
})
