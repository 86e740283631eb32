import { type ComponentProps, useEffect, useState } from 'react'
import { Card, CardHeader } from '../../../ui/card.tsx'
import type { Attention } from '../attention.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { OnDemandPanel } from '../on-demand-panel.tsx'
import { createOpenMap, createServiceMap } from './create-map.ts'
import { mapSettings } from './map-settings.ts'
import type { MapSurface } from './map-surface.tsx'
import { openMapChoice } from './open-map-choice.ts'
import { OpenMapOffer } from './open-map-offer.tsx'

interface MapPanelProps {
  readonly store: NodeStore
  readonly attention: Attention
  /** What the user chose before, in whatever browser; undefined while that is not known. */
  readonly isOpenMapWanted: boolean | undefined
  readonly onOpenMapWanted: (isWanted: boolean) => void
}

const headingId = 'map'
const openCredit = 'Natural Earth · MapLibre'

const fetchSurface = async () => (await import('./map-surface.tsx')).MapSurface

/** The nodes on a flat map: the maps service's in a build with its key; otherwise none until asked for. */
export function MapPanel(props: MapPanelProps) {
  const { store, attention, isOpenMapWanted, onOpenMapWanted } = props
  // What this browser showed last stands at once, so that nothing jumps when the answer comes.
  const [isOpenMapKept, keepOpenMap] = useState(openMapChoice.read)
  const isOpenMapShown = isOpenMapWanted ?? isOpenMapKept
  useEffect(() => openMapChoice.write(isOpenMapShown), [isOpenMapShown])
  const choose = (isWanted: boolean) => {
    keepOpenMap(isWanted)
    onOpenMapWanted(isWanted)
  }
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Map" />
      {mapSettings.key === undefined ? (
        <>
          <OpenMapOffer isShown={isOpenMapShown} onChoose={choose} />
          {isOpenMapShown && (
            <MapOnDemand {...{ store, attention }} createMap={createOpenMap} credit={openCredit} />
          )}
        </>
      ) : (
        <MapOnDemand {...{ store, attention }} createMap={createServiceMap} />
      )}
    </Card>
  )
}

function MapOnDemand(props: ComponentProps<typeof MapSurface>) {
  return (
    <OnDemandPanel
      what="The map"
      fetchPanel={fetchSurface}
      panelProps={props}
      skeleton={<Skeleton className="h-[520px] w-full rounded-control" />}
    />
  )
}
