import { useEffect, useState } from 'react'
import { pageFeed } from '../../lib/live-feed/page-feed.ts'
import { GlobePanel } from './globe-panel/globe-panel.tsx'
import { NodeSource } from './nodes/node-source.ts'
import { createNodeStore } from './nodes/node-store.ts'
import { createSelection } from './selection.ts'
import { ObservatoryStatus } from './status/observatory-status.tsx'

const opening = { view: 'earth', zoom: 1 } as const
/** Each visit begins anew: what is kept is the Observatory's. */
const forget = () => undefined

/** The public devices in numbers and on a globe, live, for pages beside the Observatory. */
export function NetworkGlobe() {
  const [{ store, selection, source }] = useState(() => {
    const nodes = createNodeStore()
    return {
      store: nodes,
      selection: createSelection(),
      source: new NodeSource({ store: nodes, feed: pageFeed }),
    }
  })
  useEffect(() => {
    source.start()
    return () => source.stop()
  }, [source])
  return (
    <div className="flex flex-col gap-6">
      <ObservatoryStatus store={store} source={source} />
      <GlobePanel store={store} selection={selection} opening={opening} onRest={forget} />
    </div>
  )
}
