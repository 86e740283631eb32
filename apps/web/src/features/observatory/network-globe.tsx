import { GlobePanel } from './globe-panel/globe-panel.tsx'
import { useNetwork } from './nodes/use-network.ts'
import { ObservatoryStatus } from './status/observatory-status.tsx'

const opening = { view: 'earth', zoom: 1 } as const
const forget = () => undefined

/** Live counts and a globe of the public devices, for pages other than the Observatory. */
export function NetworkGlobe() {
  const { store, selection, source } = useNetwork()
  return (
    <div className="flex flex-col gap-6">
      <ObservatoryStatus store={store} source={source} />
      <GlobePanel store={store} selection={selection} opening={opening} onRest={forget} />
    </div>
  )
}
