import type { Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import MapPin from 'virtual:icon/map-pin'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { nearestTown } from '../../../lib/towns/nearest-town.ts'
import type { Town } from '../../../lib/towns/search-towns.ts'
import { townsQuery } from '../../../lib/towns/towns-query.ts'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { type MapCamera, pannedBy, wholeWorld, worldSizePx } from '../map/map-camera.ts'
import {
  afterAction,
  clickPx,
  keyAction,
  type MapAction,
  MapControls,
} from '../map/map-controls.tsx'
import { drawPlaceMap, layOutLand, layOutTowns } from './place-map.ts'
import { loadCoarseLand, loadFineLand, type MapLand } from '../map/map-style.ts'
import type { Size } from '../geometry/boxes.ts'

interface PlacePickerProps {
  place: Place | undefined
  onPick: (place: Place) => void
}

const noSize: Size = { widthPx: 1, heightPx: 1 }
// A focusable element has to work by keyboard; this one handles the arrow keys.
const keyboardOperable = { tabIndex: 0 } as const

/** The world with a pin in its centre. Clicks, drags and the arrow keys move the map under the pin. */
export function PlacePicker({ place, onPick }: PlacePickerProps) {
  const keysId = useId()
  const towns = useQuery(townsQuery).data
  const landmarks = useMemo(() => towns && layOutTowns(towns), [towns])
  // Not computed on every step of a drag, because the place only changes at its end.
  const near = useMemo(() => towns && place && nearestTown(towns, place), [towns, place])
  const surface = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [shown, setShown] = useState<{ camera: MapCamera; place: Place | undefined }>()
  const pressed = useRef<{ camera: MapCamera; x: number; y: number; isDrag: boolean }>(undefined)

  const size = useMapSize(surface) ?? noSize
  // If the place was changed elsewhere, the camera moves to it.
  const isLatest = shown !== undefined && isSame(shown.place, place)
  const camera = useMemo(
    () => (isLatest ? shown.camera : cameraOn(place, size)),
    [isLatest, shown, place, size],
  )
  const { land, isFailed, retry } = useLand(camera.zoom)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || land === undefined || size === noSize) return undefined
    // At most once per frame, however fast the pointer moves.
    const frame = requestAnimationFrame(() =>
      drawPlaceMap(context, { land, landmarks, camera, size }),
    )
    return () => cancelAnimationFrame(frame)
  }, [land, landmarks, camera, size])

  const show = (next: MapCamera) => setShown({ camera: next, place })
  const pick = (next: MapCamera) => {
    const picked = placeIn(next)
    setShown({ camera: next, place: picked })
    onPick(picked)
  }
  const act = (action: MapAction, isSmall = false) => {
    const next = afterAction(action, camera, size, { stepPx: isSmall ? smallStepPx : stepPx })
    // Zooming keeps the place. All other actions move it, because it is the map's centre.
    if (isZoom(action)) show({ ...camera, zoom: next.zoom })
    else pick(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const action = keyAction(event.key)
    if (action === undefined) return
    event.preventDefault()
    act(action, event.shiftKey && !isZoom(action))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (!event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    pressed.current = { camera, x: event.clientX, y: event.clientY, isDrag: false }
  }
  const draggedTo = ({ clientX, clientY }: PointerEvent) => {
    const press = pressed.current
    if (press === undefined) return undefined
    const [xPx, yPx] = [press.x - clientX, press.y - clientY]
    press.isDrag ||= Math.hypot(xPx, yPx) > clickPx
    return press.isDrag ? pannedBy(press.camera, size, xPx, yPx) : undefined
  }
  const onPointerMove = (event: PointerEvent) => {
    const dragged = draggedTo(event)
    if (dragged !== undefined) show(dragged)
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (pressed.current === undefined) return
    const dragged = draggedTo(event)
    pressed.current = undefined
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const [xPx, yPx] = [event.clientX - left, event.clientY - top]
    pick(dragged ?? pannedBy(camera, size, xPx - size.widthPx / 2, yPx - size.heightPx / 2))
  }
  const onPointerCancel = () => {
    if (pressed.current?.isDrag) show(pressed.current.camera)
    pressed.current = undefined
  }

  const { zoom } = camera
  return (
    <div className="relative h-72 overflow-hidden rounded-control border border-line bg-ground sm:h-80">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application is interactive */}
      <div
        ref={surface}
        role="application"
        aria-roledescription={t`map`}
        aria-label={t`Map to pick a place on`}
        aria-describedby={keysId}
        {...keyboardOperable}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
        className="absolute inset-0 cursor-crosshair touch-none rounded-control -outline-offset-3!"
      >
        <canvas ref={canvas} aria-hidden className="size-full" />
      </div>
      <MapPin
        aria-hidden
        className={classNames(
          'pointer-events-none absolute bottom-1/2 left-1/2 size-8 -translate-x-1/2 fill-ground drop-shadow-lg',
          place === undefined ? 'text-muted' : 'text-accent',
        )}
      />
      <output className="pointer-events-none absolute top-3 start-3 max-w-[calc(100%-1.5rem)] rounded-control border border-line-strong bg-panel/95 px-3 py-1.5 text-xs text-ink">
        {placeText(place, near)}
      </output>
      <p id={keysId} className="sr-only">
        <Trans>Arrow keys move the place, with Shift in small steps. + and − zoom.</Trans>
      </p>
      {isFailed && (
        <div className="absolute inset-x-3 bottom-16">
          <ErrorLine onRetry={retry}>
            <Trans>The map could not be loaded.</Trans>
          </ErrorLine>
        </div>
      )}
      <MapControls zoom={zoom} onAction={(action) => act(action)} onlyZooms />
    </div>
  )
}

function isZoom(action: MapAction): boolean {
  return action === 'zoom-in' || action === 'zoom-out' || action === 'whole-world'
}

function isSame(one: Place | undefined, other: Place | undefined): boolean {
  return one?.lat === other?.lat && one?.lon === other?.lon
}

function placeText(place: Place | undefined, near: Town | undefined): string {
  if (place === undefined) return t`Press the map, drag it, or use the arrow keys.`
  const numbers = `${formatCoordinate(place.lat)}, ${formatCoordinate(place.lon)}`
  if (near === undefined) return numbers
  const { name } = near
  return t`${numbers}, near ${name}`
}

const fineLandZoom = 4

function landQuery(name: string, load: () => Promise<MapLand>) {
  return queryOptions({
    queryKey: ['land', name],
    queryFn: async () => layOutLand(await load()),
    staleTime: Infinity,
    retry: false,
    structuralSharing: false,
  })
}

const coarse = landQuery('coarse', loadCoarseLand)
const fine = landQuery('fine', loadFineLand)

/** The coarse land, or the fine one when zoomed in and loaded. */
function useLand(zoom: number) {
  const coarseLand = useQuery(coarse)
  const fineLand = useQuery({ ...fine, enabled: zoom >= fineLandZoom })
  return {
    land: fineLand.data ?? coarseLand.data,
    isFailed: coarseLand.isError && !coarseLand.isFetching && fineLand.data === undefined,
    retry: () => void coarseLand.refetch(),
  }
}

function useMapSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>()
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const sizes = new ResizeObserver(() =>
      setSize({ widthPx: current.clientWidth, heightPx: current.clientHeight }),
    )
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [element])
  return size
}

/** Close enough to recognise a place within a country. */
const placeZoom = 6
const stepPx = 24
const smallStepPx = 2

function cameraOn(place: Place | undefined, size: Size): MapCamera {
  if (place === undefined) return wholeWorld(size)
  return { latDeg: place.lat, lonDeg: place.lon, zoom: placeZoom }
}

function placeIn({ latDeg, lonDeg, zoom }: MapCamera): Place {
  const degPerPx = 360 / worldSizePx(zoom)
  const scale = 10 ** Math.ceil(-Math.log10(degPerPx))
  // Adding 0 turns -0 into 0.
  const rounded = (deg: number) => Math.round(deg * scale) / scale + 0
  return { lat: rounded(latDeg), lon: rounded(lonDeg) }
}
