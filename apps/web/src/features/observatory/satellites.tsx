import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { pageFeed } from '../../lib/live-feed/page-feed.ts'
import { paths } from '../../paths.ts'
import { DeviceList } from './list/device-list.tsx'
import { NodeSource } from './nodes/node-source.ts'
import { createNodeStore } from './nodes/node-store.ts'
import { defaultQuery, type NodeQuery } from './query/node-query.ts'
import { QueryBar } from './query/query-bar.tsx'
import { createShownNodes } from './query/shown-nodes.ts'
import { createSelection } from './selection.ts'
import { ObservatoryStatus } from './status/observatory-status.tsx'

/**
 * Every public device as in the Observatory, without the globe and the map. Selecting one opens it there.
 */
export function Satellites() {
  const navigate = useNavigate()
  const [{ store, source, shown, selection }] = useState(createSatellites)
  const [query, setQuery] = useState(defaultQuery)

  useEffect(() => {
    source.start()
    const stopShown = shown.start()
    return () => {
      stopShown()
      source.stop()
    }
  }, [source, shown])
  useEffect(() => shown.setQuery(query), [shown, query])
  useEffect(
    () =>
      selection.subscribe(() => {
        const { selectedId } = selection
        if (selectedId !== undefined) void navigate(paths.observatoryDevice(selectedId))
      }),
    [selection, navigate],
  )

  const change = (changes: Partial<NodeQuery>) => setQuery((before) => ({ ...before, ...changes }))
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <ObservatoryStatus store={store} source={source} />
      <QueryBar shown={shown} query={query} isLeftOver={false} onChange={change} />
      <div className="h-[36rem]">
        <DeviceList {...{ source, shown, selection, query }} onQuery={change} />
      </div>
    </div>
  )
}

function createSatellites() {
  const store = createNodeStore()
  const source = new NodeSource({ store, feed: pageFeed })
  return { store, source, shown: createShownNodes(store, source), selection: createSelection() }
}
