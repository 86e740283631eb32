import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { NodeStore } from '../nodes/node-store.ts'
import { OnDemandPanel } from '../../../ui/on-demand-panel.tsx'
import type { Selection } from '../selection.ts'
import { useCloserLookWish } from './closer-look.ts'
import { keySettingName, mapSettings } from './map-settings.ts'
import type { MapSurface } from './map-surface.tsx'
import type { CreateMap } from './map-view.ts'

interface MapPanelProps {
  readonly store: NodeStore
  readonly selection: Selection
  /** Whether the visitor has asked for the built-in map where the service draws none. */
  readonly isBuiltInMapWanted: boolean
  readonly onBuiltInMapWanted: (isWanted: boolean) => void
}

const headingId = 'map'
const builtInCredit = 'Natural Earth · MapLibre'

/** Fetched when a map is first shown. */
const createBuiltInMap: CreateMap = async (options) => {
  const map = await import('./built-in-map.ts')
  return map.createBuiltInMap(options)
}

/** Fetched when a map is first shown, and only in a build with a key. */
const createServiceMap: CreateMap = async (options) => {
  const map = await import('./service-map.ts')
  return map.createServiceMap(options)
}

const fetchSurface = async () => (await import('./map-surface.tsx')).MapSurface

/** The nodes on a flat map: the one that the build was made with, or the built-in one when asked for. */
export function MapPanel(props: MapPanelProps) {
  const { store, selection, isBuiltInMapWanted, onBuiltInMapWanted } = props
  const isService = mapSettings.source === 'service'
  const hasMap = !isService || mapSettings.key !== undefined
  useCloserLookWish(selection, headingId, () => {
    if (!hasMap) onBuiltInMapWanted(true)
  })
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Map" />
      {!hasMap && <BuiltInMapOffer isShown={isBuiltInMapWanted} onChoose={onBuiltInMapWanted} />}
      {isService && hasMap && (
        <MapOnDemand {...{ store, selection }} createMap={createServiceMap} />
      )}
      {(!isService || (!hasMap && isBuiltInMapWanted)) && (
        <MapOnDemand
          {...{ store, selection }}
          createMap={createBuiltInMap}
          credit={builtInCredit}
        />
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

interface BuiltInMapOfferProps {
  readonly isShown: boolean
  readonly onChoose: (isWanted: boolean) => void
}

/** Why the maps service draws no map, and the built-in one instead. */
function BuiltInMapOffer({ isShown, onChoose }: BuiltInMapOfferProps) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-muted">
      <span className="min-w-0 break-words">{keySettingName} is not set.</span>
      <Button variant="link" size="sm" onClick={() => onChoose(!isShown)}>
        {isShown ? 'Hide the built-in map' : 'Use the built-in map'}
      </Button>
    </p>
  )
}
