import { useSyncExternalStore } from 'react'
import type { FeedState } from './feed-state.ts'
import { pageFeed } from './page-feed.ts'

const subscribe = (listener: () => void) => pageFeed?.subscribe(listener) ?? (() => undefined)

/** How the page hears of changes, followed as it changes; undefined in builds that only poll. */
export function useFeedState(): FeedState | undefined {
  return useSyncExternalStore(subscribe, () => pageFeed?.state)
}
