import { MapPinOff } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { NodeStore } from '../nodes/node-store.ts'
import { OnDemandPanel } from '../on-demand-panel.tsx'
import type { Selection } from '../selection.ts'
import { builtInMapChoice, keySettingName, mapSettings } from './map-settings.ts'
import type { MapSurface } from './map-surface.tsx'
import type { CreateMap } from './map-view.ts'

interface MapPanelProps {
  readonly store: NodeStore
  readonly selection: Selection
  /** What the user chose before, in whatever browser; undefined while that is not known. */
  readonly isBuiltInMapWanted: boolean | undefined
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

/** The nodes on a flat map: the maps service's in a build with its key; otherwise none until asked for. */
export function MapPanel(props: MapPanelProps) {
  const { store, selection, isBuiltInMapWanted, onBuiltInMapWanted } = props
  // What this browser showed last stands at once, so that nothing jumps when the answer comes.
  const [isBuiltInMapKept, keepBuiltInMap] = useState(builtInMapChoice.read)
  const isBuiltInMapShown = isBuiltInMapWanted ?? isBuiltInMapKept
  useEffect(() => builtInMapChoice.write(isBuiltInMapShown), [isBuiltInMapShown])
  const choose = (isWanted: boolean) => {
    keepBuiltInMap(isWanted)
    onBuiltInMapWanted(isWanted)
  }
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader id={headingId} title="Map" />
      {mapSettings.key === undefined ? (
        <>
          <BuiltInMapOffer isShown={isBuiltInMapShown} onChoose={choose} />
          {isBuiltInMapShown && (
            <MapOnDemand
              {...{ store, selection }}
              createMap={createBuiltInMap}
              credit={builtInCredit}
            />
          )}
        </>
      ) : (
        <MapOnDemand {...{ store, selection }} createMap={createServiceMap} />
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
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control border border-line bg-raised/60 px-4 py-3">
      <p className="flex min-w-0 items-start gap-3 text-sm text-muted">
        <MapPinOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0">
          <code className="font-mono text-[0.8125rem] break-words text-ink">{keySettingName}</code>{' '}
          is not set, so the maps service draws no map here.
        </span>
      </p>
      <Button variant="outline" size="sm" onClick={() => onChoose(!isShown)}>
        {isShown ? 'Hide the built-in map' : 'Use the built-in map'}
      </Button>
    </div>
  )
}
