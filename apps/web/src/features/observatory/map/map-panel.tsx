import { type ComponentProps, type ReactNode, useState } from 'react'
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
  /** Buttons beside the heading. */
  readonly children?: ReactNode
}

const headingId = 'map'
const openCredit = 'Natural Earth · MapLibre'

const fetchSurface = async () => (await import('./map-surface.tsx')).MapSurface

/** The nodes on a flat map: the maps service's in a build with its key; otherwise none until asked for. */
export function MapPanel({ store, attention, children }: MapPanelProps) {
  const [isOpenMapShown, setIsOpenMapShown] = useState(openMapChoice.read)
  const choose = (isWanted: boolean) => {
    openMapChoice.write(isWanted)
    setIsOpenMapShown(isWanted)
  }
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Map">
        {children}
      </CardHeader>
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
