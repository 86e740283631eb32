import { useEffect, useState } from 'react'
import { pageFeed } from '../../lib/live-feed/page-feed.ts'
import { createAttention } from './attention.ts'
import { NodeSource } from './nodes/node-source.ts'
import { createNodeStore } from './nodes/node-store.ts'

/** What the page's parts share, for as long as the page is open. */
export function useObservatory() {
  const [shared] = useState(() => {
    const store = createNodeStore()
    return {
      store,
      attention: createAttention(),
      source: new NodeSource({ store, feed: pageFeed }),
    }
  })
  const { source } = shared
  useEffect(() => {
    source.start()
    return () => source.stop()
  }, [source])
  return shared
}
