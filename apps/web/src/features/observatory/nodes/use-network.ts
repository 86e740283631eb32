import { useEffect, useState } from 'react'
import { pageFeed } from '../../../lib/live-feed/page-feed.ts'
import { createSelection } from '../selection.ts'
import { createNodeSource } from './node-source.ts'
import { createNodeStore } from './node-store.ts'

/** The live public devices and the selection among them, shared by the parts of a page. */
export function useNetwork() {
  const [shared] = useState(() => {
    const store = createNodeStore()
    const source = createNodeSource({ store, feed: pageFeed })
    return { store, selection: createSelection(), source }
  })
  const { source } = shared
  useEffect(() => {
    source.start()
    return () => source.stop()
  }, [source])
  return shared
}
