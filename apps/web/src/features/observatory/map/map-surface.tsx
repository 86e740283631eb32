import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { type NodeStore, useNodeVersion } from '../nodes/node-store.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import { cameraOnSight, minZoom, type WorldPoint, worldPoint } from './map-camera.ts'
import { afterAction, type MapAction, MapControls, useSurfaceEvents } from './map-controls.tsx'
import { MapMarkers } from './map-markers.tsx'
import { type Opened, useOpened } from './map-opening.ts'
import { usePins, useTerritoryNames } from './map-pins.tsx'
import {
  type CreateMap,
  type MapState,
  type MapView,
  useMapView,
  wantedMotion,
} from './map-view.ts'
import { type MarkerScene, scenePixel, useMarkerScene } from './marker-scene.ts'
import { devicesHere, summaryOf } from '../nodes/node-name.ts'
import {
  NodeDetails,
  NodeList,
  NodePopover,
  PointedCard,
  type PopoverPlace,
} from '../nodes/node-popover.tsx'

interface MapSurfaceProps {
  readonly store: NodeStore
  readonly selection: Selection
  readonly createMap: CreateMap
  readonly credit?: string
}

/** Lint rules do not know that role "application" takes the keyboard focus. */
const keyboardOperable = { tabIndex: 0 } as const

/** A map with the nodes on it, for both kinds of map: markers, keys, buttons and popovers. */
export function MapSurface({ store, selection, createMap, credit }: MapSurfaceProps) {
  const surface = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const returnTo = useRef<Element>(null)
  const keysId = useId()
  const { state, retry } = useMapView(host, store, createMap)
  const view = state.step === 'ready' ? state.view : undefined
  const scene = useMarkerScene(view, store)
  const selectedId = useSelectedId(selection)
  const zoom = scene?.camera.zoom ?? minZoom
  const ownPins = usePins(scene?.columns ?? store.columns, selectedId)
  const territoryNames = useTerritoryNames(zoom)
  const pins = useMemo(() => [...territoryNames, ...ownPins], [territoryNames, ownPins])
  const { opened, open, openNode, backTo, close } = useOpened(view, store, selection)

  const { pointedId, pointAt } = usePointedNode()
  const pointed = scene && summaryOf(scene.columns, pointedId)

  useMapSight(view, surface, selection)
  useEffect(
    () =>
      view === undefined || surface.current === null
        ? undefined
        : showCamera(surface.current, view),
    [view],
  )

  const act = (action: MapAction) => {
    if (view === undefined) return
    const { lonDeg } = store.columns
    view.setCamera(afterAction(action, view.camera, view.size, { lonDeg }), wantedMotion('step'))
  }
  const returnFocus = () => {
    const before = returnTo.current
    const target = before instanceof HTMLElement && before.isConnected ? before : surface.current
    target?.focus({ preventScroll: true })
  }
  const surfaceEvents = useSurfaceEvents({
    onAction: act,
    onEscape: () => {
      if (opened !== undefined) close()
      else pointAt(undefined)
    },
    onPressBeside: close,
  })

  return (
    <div className="relative h-[520px] overflow-hidden rounded-control border border-line bg-ground">
      <div
        ref={surface}
        role="application"
        aria-roledescription={t`map`}
        aria-label={t`Map of the devices`}
        aria-describedby={keysId}
        aria-busy={state.step === 'loading'}
        {...keyboardOperable}
        {...surfaceEvents}
        className="peer absolute inset-0 rounded-control -outline-offset-3!"
      >
        <div ref={host} className="size-full" />
        {view !== undefined && scene !== undefined && (
          <MapMarkers
            view={view}
            scene={scene}
            pins={pins}
            onPoint={pointAt}
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
        <Trans>
          Arrows move the map, + and − zoom, Home shows the whole world. Tab goes to the devices,
          Enter opens one.
        </Trans>
      </p>
      {view === undefined ? (
        <MapNotReady state={state} onRetry={retry} />
      ) : (
        <>
          <MapCaption store={store} credit={credit} />
          <MapControls zoom={zoom} onAction={act} />
        </>
      )}
      {opened === undefined && pointed !== undefined && view && scene && (
        <PointedCard
          key={pointed.id}
          node={pointed}
          place={placeOn(view, scene, worldPoint(pointed))}
        />
      )}
      {opened !== undefined && view !== undefined && scene !== undefined && (
        <OpenedPopover
          key={opened.kind === 'node' ? opened.id : 'spot'}
          opened={opened}
          view={view}
          scene={scene}
          actions={{ openNode, backTo }}
          onClose={close}
          onReturnFocus={returnFocus}
        />
      )}
    </div>
  )
}

/** Delay, so that a mouse that crosses a hundred markers opens no cards and sends no requests. */
const dwellMs = 180

function usePointedNode() {
  const [pointedId, pointAt] = useState<string>()
  const [dwelledId, setDwelledId] = useState<string>()
  useEffect(() => {
    if (pointedId === undefined) return undefined
    const timer = setTimeout(() => setDwelledId(pointedId), dwellMs)
    return () => clearTimeout(timer)
  }, [pointedId])
  return { pointedId: dwelledId === pointedId ? pointedId : undefined, pointAt }
}

function useMapSight(
  view: MapView | undefined,
  surface: RefObject<HTMLElement | null>,
  selection: Selection,
): void {
  useEffect(() => {
    if (view === undefined) return undefined
    const goOn = () => {
      const sight = selection.takeMapSight()
      if (sight === undefined) return
      view.setCamera(cameraOnSight(sight, view.size), wantedMotion('flight'))
      surface.current?.focus({ preventScroll: true })
    }
    goOn()
    return selection.onMapSight(goOn)
  }, [view, surface, selection])
}

function placeOn(view: MapView, scene: MarkerScene, point: WorldPoint): PopoverPlace {
  return {
    read: () => ({ at: scenePixel(scene, view.camera, point), frame: view.size }),
    subscribe: view.subscribe,
  }
}

interface OpenedPopoverProps {
  readonly opened: Opened
  readonly view: MapView
  readonly scene: MarkerScene
  readonly actions: Pick<ReturnType<typeof useOpened>, 'openNode' | 'backTo'>
  readonly onClose: () => void
  readonly onReturnFocus: () => void
}

function OpenedPopover({ opened, view, scene, actions, ...handlers }: OpenedPopoverProps) {
  const { columns } = scene
  const { spot } = opened
  if (opened.kind === 'spot') {
    const { ids, total, own, at } = opened.spot
    return (
      <NodePopover
        title={devicesHere(own, total - own)}
        place={placeOn(view, scene, at)}
        {...handlers}
      >
        <NodeList
          nodes={ids.flatMap((id) => summaryOf(columns, id) ?? [])}
          total={total}
          onChoose={(id) => actions.openNode(id, spot)}
        />
      </NodePopover>
    )
  }
  const node = summaryOf(columns, opened.id)
  if (node === undefined) return null
  return (
    <NodePopover
      title={node.name}
      place={placeOn(view, scene, worldPoint(node))}
      onBack={spot && (() => actions.backTo(spot))}
      {...handlers}
    >
      <NodeDetails node={node} opensTab />
    </NodePopover>
  )
}

/** Writes the camera at rest onto the element, for tests and debugging. */
function showCamera(element: HTMLElement, view: MapView): () => void {
  const show = (isAtRest: boolean) => {
    if (!isAtRest) return
    const { latDeg, lonDeg, zoom } = view.camera
    element.dataset['lat'] = latDeg.toFixed(3)
    element.dataset['lon'] = lonDeg.toFixed(3)
    element.dataset['zoom'] = zoom.toFixed(2)
  }
  show(true)
  return view.subscribe(show)
}

function MapNotReady({ state, onRetry }: { state: MapState; onRetry: () => void }) {
  return (
    <div className="absolute inset-0 grid place-items-center bg-ground p-6">
      {state.step === 'failed' ? (
        <div className="flex max-w-md flex-col items-center gap-4 rounded-control border border-danger/40 bg-danger-soft px-5 py-4">
          <p role="alert" className="flex items-start gap-2 text-sm text-danger">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">{state.message}</span>
          </p>
          <Button variant="outline" size="sm" onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        </div>
      ) : (
        <output className="flex items-center gap-2 text-sm text-muted">
          <Spinner />
          <Trans>Drawing the map…</Trans>
        </output>
      )}
    </div>
  )
}

function MapCaption({ store, credit }: { store: NodeStore; credit: string | undefined }) {
  const version = useNodeVersion(store)
  return (
    <p className="pointer-events-none absolute end-2 bottom-2 mb-12 flex flex-col items-end gap-0.5 rounded-mark bg-ground/75 px-1.5 py-0.5 text-end text-xs text-muted sm:mb-0">
      {version === 0 && (
        <span>
          <Trans>Looking for devices…</Trans>
        </span>
      )}
      {version > 0 && store.columns.count === 0 && (
        <span>{store.isFiltered ? t`No matching devices.` : t`No public devices yet.`}</span>
      )}
      {credit !== undefined && <span>{credit}</span>}
    </p>
  )
}
