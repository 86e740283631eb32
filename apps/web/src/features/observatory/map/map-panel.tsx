import type { ComponentProps } from 'react'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { NodeStore } from '../nodes/node-store.ts'
import { NearPanel } from '../../../ui/on-demand-panel.tsx'
import type { Selection } from '../selection.ts'
import { useCloserLookWish } from './closer-look.ts'
import { keySettingName, mapSettings } from './map-settings.ts'
import type { MapSurface } from './map-surface.tsx'
import type { CreateMap } from './map-view.ts'

interface MapPanelProps {
  readonly store: NodeStore
  readonly selection: Selection
}

const headingId = 'map'
const builtInCredit = 'Natural Earth · MapLibre'

/** Loaded when a map is first shown. */
const createBuiltInMap: CreateMap = async (options) => {
  const map = await import('./built-in-map.ts')
  return map.createBuiltInMap(options)
}

/** Loaded when a map is first shown, and only in a build with a key. */
const createServiceMap: CreateMap = async (options) => {
  const map = await import('./service-map.ts')
  return map.createServiceMap(options)
}

const fetchSurface = async () => (await import('./map-surface.tsx')).MapSurface

/**
 * The nodes on a flat map: the maps service's if the build has a key for it, otherwise the built-in one.
 */
export function MapPanel({ store, selection }: MapPanelProps) {
  const isServiceMeant = mapSettings.source === 'service'
  const isService = isServiceMeant && mapSettings.key !== undefined
  useCloserLookWish(selection, headingId)
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Map" />
      {isServiceMeant && !isService && (
        <p className="min-w-0 text-sm break-words text-muted">
          {keySettingName} is not set. This is the built-in map.
        </p>
      )}
      {isService ? (
        <MapOnDemand {...{ store, selection }} createMap={createServiceMap} />
      ) : (
        <MapOnDemand
          {...{ store, selection }}
          createMap={createBuiltInMap}
          credit={builtInCredit}
        />
      )}
    </Card>
  )
}

/** Loads the map only when it is about to scroll into view, because it is large and below the globe. */
function MapOnDemand(props: ComponentProps<typeof MapSurface>) {
  return (
    <NearPanel
      what="The map"
      fetchPanel={fetchSurface}
      panelProps={props}
      skeleton={<Skeleton className="h-[520px] w-full rounded-control" />}
    />
  )
}
