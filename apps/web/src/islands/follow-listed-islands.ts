import type { FeedPosition } from '@astropelago/contract/feed'
import type { IslandCard } from '@astropelago/contract/islands'
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FeedChanges } from '../lib/live-feed/feed-changes.ts'
import { followFromNow } from '../lib/live-feed/follow-from-now.ts'
import type { LiveFeed } from '../lib/live-feed/live-feed.ts'
import { pageFeed } from '../lib/live-feed/page-feed.ts'
import { queryKeys } from '../lib/query-keys.ts'

/** A random delay up to this limit keeps pages from asking all at once. */
const askAgainMs = 5000

interface IslandList {
  readonly islands: readonly IslandCard[]
}

export function useLiveListedIslands(): void {
  const client = useQueryClient()
  useEffect(() => (pageFeed ? followListedIslands(client, pageFeed) : undefined), [client])
}

/** Shows changes at once in every cached list of islands. Returns a function that stops it. */
export function followListedIslands(
  client: QueryClient,
  feed: Pick<LiveFeed, 'join'>,
  fetchPosition?: () => Promise<FeedPosition | undefined>,
): () => void {
  let asking: ReturnType<typeof setTimeout> | undefined
  const askAnew = () => {
    asking = undefined
    void client.invalidateQueries({ queryKey: queryKeys.listedIslands })
  }
  const onChanges = ({ changedIslands, removedIslandIds }: FeedChanges) => {
    if (changedIslands.length === 0 && removedIslandIds.length === 0) return
    const now = new Map(changedIslands.map((island) => [island.id, island]))
    for (const [key, data] of client.getQueriesData<ShownIslands>({
      queryKey: queryKeys.listedIslands,
    })) {
      if (data !== undefined) client.setQueryData(key, withChanged(data, now))
    }
    asking ??= setTimeout(askAnew, Math.random() * askAgainMs)
  }
  const leave = followFromNow(feed, { onStart: askAnew, onChanges }, fetchPosition)
  return () => {
    clearTimeout(asking)
    leave()
  }
}

/** A list, the pages of one, or other data about listed islands. */
type ShownIslands = IslandList | InfiniteData<IslandList | object> | object

function withChanged(data: ShownIslands, now: ReadonlyMap<string, IslandCard>): ShownIslands {
  if ('pages' in data) return { ...data, pages: data.pages.map((page) => withChanged(page, now)) }
  if (!('islands' in data)) return data
  return { ...data, islands: data.islands.map((island) => now.get(island.id) ?? island) }
}
