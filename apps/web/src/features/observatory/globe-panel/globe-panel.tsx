import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { LiveRegion } from '../../../ui/live-region.tsx'
import type { Attention } from '../attention.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { GlobeAction } from './globe-action.ts'
import { GlobeCaption } from './globe-caption.tsx'
import { GlobeControls } from './globe-controls.tsx'
import { GlobeImpossible } from './globe-impossible.tsx'
import { GlobeSurface } from './globe-surface.tsx'
import { type MountedGlobe, mountGlobe } from './mount-globe.ts'
import { NodeChooser } from './node-chooser.tsx'
import { createPanelState } from './panel-state.ts'
import { RegionPanel } from './region-panel.tsx'
import { ViewButton } from './view-button.tsx'

interface GlobePanelProps {
  readonly store: NodeStore
  readonly attention: Attention
}

/** The globe and everything around it. React draws the controls; the globe draws itself. */
export function GlobePanel({ store, attention }: GlobePanelProps) {
  const [state] = useState(createPanelState)
  const { drawing, view, canZoomIn, canZoomOut, region, choice, spoken } = useSyncExternalStore(
    state.subscribe,
    state.read,
  )
  const panel = useRef<HTMLDivElement>(null)
  const surface = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const mounted = useRef<MountedGlobe>(undefined)
  const you = useSavedLocation()

  useLayoutEffect(() => {
    if (panel.current === null || surface.current === null || layer.current === null) {
      return undefined
    }
    const globe = mountGlobe({
      panel: panel.current,
      surface: surface.current,
      layer: layer.current,
      store,
      attention,
      state,
    })
    mounted.current = globe
    return () => {
      mounted.current = undefined
      globe.dispose()
    }
  }, [store, attention, state])

  useEffect(() => {
    mounted.current?.setYou(you && { text: `You: ${you.label}`, latDeg: you.lat, lonDeg: you.lon })
  }, [you])

  const act = (action: GlobeAction) => mounted.current?.controller()?.act(action)
  const closeChoice = useCallback(() => mounted.current?.controller()?.closeChoice(), [])
  const focusGlobe = useCallback(() => surface.current?.focus({ preventScroll: true }), [])
  const isEarth = view === 'earth'

  if (drawing === 'impossible') return <GlobeImpossible />
  return (
    <div ref={panel} className="relative flex flex-col gap-3">
      <div className="relative h-[460px] overflow-hidden rounded-control border border-line bg-ground">
        <GlobeSurface ref={surface} view={view} />
        <div ref={layer} aria-hidden className="pointer-events-none absolute inset-0" />
        <ViewButton
          view={view}
          onToggle={() => mounted.current?.controller()?.setView(isEarth ? 'sky' : 'earth')}
        />
        {isEarth && <GlobeControls canZoomIn={canZoomIn} canZoomOut={canZoomOut} onAction={act} />}
        <GlobeCaption store={store} view={view} />
        {choice !== undefined && (
          <NodeChooser
            key={`${choice.xPx} ${choice.yPx}`}
            choice={choice}
            attention={attention}
            onClose={closeChoice}
            onReturnFocus={focusGlobe}
          />
        )}
      </div>
      {region !== undefined && (
        <RegionPanel
          region={region}
          store={store}
          attention={attention}
          onClose={() => {
            mounted.current?.controller()?.selectRegion(undefined)
            focusGlobe()
          }}
        />
      )}
      <LiveRegion>{spoken}</LiveRegion>
    </div>
  )
}
