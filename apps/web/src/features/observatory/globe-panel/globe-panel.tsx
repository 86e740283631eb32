import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { LiveRegion } from '../../../ui/live-region.tsx'
import { useOnDemand } from '../../../ui/use-on-demand.ts'
import type { Attention } from '../attention.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { GlobeCaption } from './globe-caption.tsx'
import { GlobeControls } from './globe-controls.tsx'
import { GlobeImpossible } from './globe-impossible.tsx'
import { GlobeSurface } from './globe-surface.tsx'
import { createPanelGlobe, type LeftCamera } from './panel-globe.ts'
import { ViewButton } from './view-button.tsx'

const fetchDetails = async () => (await import('./globe-details.tsx')).GlobeDetails

interface GlobePanelProps {
  readonly store: NodeStore
  readonly attention: Attention
  /** How the globe opens; how it was left is told when it comes to rest. */
  readonly opening: LeftCamera
  readonly onRest: (left: LeftCamera) => void
}

/** The globe and everything around it. React draws the controls; the globe draws itself. */
export function GlobePanel({ store, attention, opening, onRest }: GlobePanelProps) {
  const [globe] = useState(() => createPanelGlobe({ opening, onRest }))
  const { drawing, view, canZoomIn, canZoomOut, region, choice, spoken } = useSyncExternalStore(
    globe.state.subscribe,
    globe.state.read,
  )
  const panel = useRef<HTMLDivElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const you = useSavedLocation()
  const [details, loadDetails] = useOnDemand(fetchDetails)

  useLayoutEffect(() => {
    if (panel.current === null || surface.current === null || layer.current === null) {
      return undefined
    }
    return globe.mount({
      panel: panel.current,
      surface: surface.current,
      layer: layer.current,
      store,
      attention,
    })
  }, [globe, store, attention])

  useEffect(() => {
    globe.setYou(you && { text: `You: ${you.label}`, latDeg: you.lat, lonDeg: you.lon })
  }, [globe, you])

  // The globe does not wait for them, and the first press need not either.
  useEffect(() => {
    void loadDetails()
  }, [loadDetails])

  if (drawing === 'impossible') return <GlobeImpossible />
  const isEarth = view === 'earth'
  const isDetailMissing = details.step === 'failed' && (region ?? choice) !== undefined
  return (
    <div ref={panel} className="relative flex flex-col gap-3">
      <div className="relative h-[460px] overflow-hidden rounded-control border border-line bg-ground">
        <GlobeSurface ref={surface} view={view} />
        <div ref={layer} aria-hidden className="pointer-events-none absolute inset-0" />
        <ViewButton view={view} onToggle={() => globe.setView(isEarth ? 'sky' : 'earth')} />
        {isEarth && (
          <GlobeControls canZoomIn={canZoomIn} canZoomOut={canZoomOut} onAction={globe.act} />
        )}
        <GlobeCaption store={store} view={view} />
      </div>
      {details.step === 'ready' && (
        <details.Component
          region={region}
          choice={choice}
          store={store}
          attention={attention}
          globe={globe}
        />
      )}
      {isDetailMissing && (
        <ErrorLine onRetry={() => void loadDetails()}>What is there could not be loaded.</ErrorLine>
      )}
      <LiveRegion>{spoken}</LiveRegion>
    </div>
  )
}
