import { useEffect, useId, useMemo, useRef } from 'react'
import type { Attention } from '../attention.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { useSelectedId } from '../use-selected-id.ts'
import type { CreateMap } from './create-map.ts'
import { afterAction, type MapAction } from './map-action.ts'
import { maxZoom, minZoom } from './map-camera.ts'
import { MapCaption } from './map-caption.tsx'
import { MapControls } from './map-controls.tsx'
import { MapMarkers } from './map-markers.tsx'
import { MapNotReady } from './map-not-ready.tsx'
import { OpenedPopover } from './opened-popover.tsx'
import { showCamera } from './show-camera.ts'
import { useMapView } from './use-map-view.ts'
import { useMarkerScene } from './use-marker-scene.ts'
import { useOpened } from './use-opened.ts'
import { usePins } from './use-pins.ts'
import { usePlaceNames } from './use-place-names.ts'
import { useSurfaceEvents } from './use-surface-events.ts'
import { wantedMotion } from './wanted-motion.ts'

interface MapSurfaceProps {
  readonly store: NodeStore
  readonly attention: Attention
  readonly createMap: CreateMap
  readonly credit?: string
}

/** An application is operated by keys, which lint rules don't know. */
const keyboardOperable = { tabIndex: 0 } as const

/** A map with the nodes on it, whoever draws it: markers, keys, buttons and what is open. */
export function MapSurface({ store, attention, createMap, credit }: MapSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const returnTo = useRef<Element>(null)
  const keysId = useId()
  const { state, retry } = useMapView(host, store, createMap)
  const view = state.step === 'ready' ? state.view : undefined
  const scene = useMarkerScene(view, store)
  const selectedId = useSelectedId(attention)
  const zoom = scene?.camera.zoom ?? minZoom
  const ownPins = usePins(scene?.columns ?? store.columns, selectedId)
  const placeNames = usePlaceNames(zoom)
  const pins = useMemo(() => [...placeNames, ...ownPins], [placeNames, ownPins])
  const { opened, open, openNode, backTo, close } = useOpened(view, store, attention)

  useEffect(
    () =>
      view === undefined || surface.current === null
        ? undefined
        : showCamera(surface.current, view),
    [view],
  )

  const act = (action: MapAction) => {
    if (view === undefined) return
    view.setCamera(afterAction(action, view.camera, view.size), wantedMotion('step'))
  }
  const closeAndReturn = () => {
    close()
    const before = returnTo.current
    const target = before instanceof HTMLElement && before.isConnected ? before : surface.current
    target?.focus({ preventScroll: true })
  }
  useSurfaceEvents(surface, {
    onAction: act,
    onEscape: () => {
      if (opened !== undefined) closeAndReturn()
    },
    onPressBeside: close,
  })

  return (
    <div className="relative h-[520px] overflow-hidden rounded-control border border-line bg-ground">
      <div
        ref={surface}
        role="application"
        aria-roledescription="map"
        aria-label="Map of the devices"
        aria-describedby={keysId}
        aria-busy={state.step === 'loading'}
        {...keyboardOperable}
        className="peer absolute inset-0 rounded-control -outline-offset-3!"
      >
        <div ref={host} className="size-full" />
        {view !== undefined && scene !== undefined && (
          <MapMarkers
            view={view}
            scene={scene}
            pins={pins}
            onOpen={(marker) => {
              returnTo.current = document.activeElement
              open(marker, scene)
            }}
          />
        )}
      </div>
      <p
        id={keysId}
        className="pointer-events-none absolute inset-x-3 top-3 mx-auto w-fit rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-center text-xs text-ink opacity-0 transition-opacity peer-focus-visible:opacity-100"
      >
        Arrows move the map, + and − zoom, Home shows the whole world. Tab goes to the devices,
        Enter opens one.
      </p>
      {view === undefined ? (
        <MapNotReady state={state} onRetry={retry} />
      ) : (
        <>
          <MapCaption store={store} credit={credit} />
          <MapControls canZoomIn={zoom < maxZoom} canZoomOut={zoom > minZoom} onAction={act} />
        </>
      )}
      {opened !== undefined && view !== undefined && scene !== undefined && (
        <OpenedPopover
          key={opened.kind === 'node' ? opened.id : 'spot'}
          opened={opened}
          view={view}
          scene={scene}
          actions={{ openNode, backTo }}
          onClose={closeAndReturn}
        />
      )}
    </div>
  )
}
