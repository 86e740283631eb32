import { useEffect, useState } from 'react'
import { pageFeed } from '../../../lib/live-feed/page-feed.ts'
import { createSelection } from '../selection.ts'
import { NodeSource } from './node-source.ts'
import { createNodeStore } from './node-store.ts'

/** The live public devices and the selection among them, shared by the parts of a page. */
export function useNetwork() {
  const [shared] = useState(() => {
    const store = createNodeStore()
    return {
      store,
      selection: createSelection(),
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
