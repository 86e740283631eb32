import { useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { knownFrom } from '../../neighbours/use-neighbours.ts'
import { paths } from '../../paths.ts'
import { DeviceList } from './list/device-list.tsx'
import { useNeighbourNodes } from './nodes/use-neighbour-nodes.ts'
import { useNetwork } from './nodes/use-network.ts'
import { defaultQuery, type NodeQuery } from './query/node-query.ts'
import { QueryBar } from './query/query-bar.tsx'
import { createShownNodes } from './query/shown-nodes.ts'
import { ObservatoryStatus } from './status/observatory-status.tsx'

/** Every public device, without the globe and the map. Selecting one opens it in the Observatory. */
export function Satellites() {
  const navigate = useNavigate()
  const { store, source, selection } = useNetwork()
  const [shown] = useState(() => createShownNodes(store, source))
  const [asked, setQuery] = useState(defaultQuery)
  const from = knownFrom(asked.from, useNeighbourNodes(source))
  const query = useMemo(() => ({ ...asked, from }), [asked, from])

  useEffect(() => shown.start(), [shown])
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
      <QueryBar {...{ shown, query }} isLeftOver={false} onChange={change} />
      <div className="h-[36rem]">
        <DeviceList {...{ source, shown, selection, query }} onQuery={change} />
      </div>
    </div>
  )
}
