import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { MapPin, type MapPinProps } from './map-pins.tsx'
import type { MapView } from './map-view.ts'
import { MarkerButton } from './marker-button.tsx'
import { type MapMarker, nodesOf } from './marker-cells.ts'
import { type Direction, type MarkerScene, nextMarker, scenePixel } from './marker-scene.ts'
import type { WorldPoint } from './mercator.ts'

interface MapMarkersProps {
  readonly view: MapView
  readonly scene: MarkerScene
  readonly pins: readonly MapPinProps[]
  readonly onOpen: (marker: MapMarker) => void
  readonly onPoint: (id: string | undefined) => void
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** The markers on the map. One of them is in the tab order. Arrow keys move from it to the others. */
export function MapMarkers({ view, scene, pins, onOpen, onPoint }: MapMarkersProps) {
  const layer = useRef<HTMLDivElement>(null)
  const [reachable, setReachable] = useState('')
  const keys = scene.markers.map((marker) => markerKey(scene.columns, marker))
  const reachableKey = keys.includes(reachable) ? reachable : keys[0]

  useLayoutEffect(() => {
    const element = layer.current
    if (element === null) return undefined
    const points = [...pins.map(({ point }) => point), ...scene.markers]
    return followMap(element, view, scene, points)
  }, [view, scene, pins])

  const moveFocus = (event: KeyboardEvent) => {
    const direction = arrows[event.key]
    const from = keys.indexOf(reachableKey ?? '')
    const marker = scene.markers[from]
    if (direction === undefined || marker === undefined) return
    event.preventDefault()
    const pixels = scene.markers.map((point) => scenePixel(scene, view.camera, point))
    const next = nextMarker(pixels, scenePixel(scene, view.camera, marker), direction)
    const key = next === undefined ? undefined : keys[next]
    if (next === undefined || key === undefined) return
    setReachable(key)
    const button = layer.current?.querySelectorAll<HTMLElement>('[data-marker]')[next]
    button?.focus({ preventScroll: true })
  }

  return createPortal(
    <div ref={layer} className="font-sans">
      {pins.map((pin) => (
        <MapPin key={`${pin.kind} ${pin.text}`} {...pin} />
      ))}
      <fieldset aria-label="Devices on the map" className="contents">
        {scene.markers.map((marker, index) => {
          const key = keys[index] ?? ''
          return (
            <MarkerButton
              key={key}
              marker={marker}
              columns={scene.columns}
              label={scene.labels[index]}
              isDrawn={view.drawsNodes}
              onKeyDown={moveFocus}
              onPoint={onPoint}
              isReachable={key === reachableKey}
              onOpen={() => {
                setReachable(key)
                onOpen(marker)
              }}
            />
          )
        })}
      </fieldset>
    </div>,
    view.overlay,
  )
}

/**
 * Stays the same for a node, and for a group with the same first node, so that its element keeps the focus.
 */
function markerKey(columns: NodeColumns, marker: MapMarker): string {
  const kind = nodesOf(marker) === 1 ? 'node' : 'group'
  return `${kind} ${textAt(columns.ids, marker.firstIndex)}`
}

/**
 * Keeps a layer's elements in place while the map moves. A pan transforms the whole layer, with one style
 * per frame. Only a zoom places each element again.
 */
function followMap(
  layer: HTMLElement,
  view: MapView,
  scene: MarkerScene,
  points: readonly WorldPoint[],
): () => void {
  const elements = layer.querySelectorAll<HTMLElement>('[data-placed]')
  const anchor = { x: scene.grid.left, y: scene.grid.top }
  let placed = view.camera
  let offset = view.overlayOffset

  const placeAll = () => {
    placed = view.camera
    offset = view.overlayOffset
    const { xPx, yPx } = offset
    layer.style.transform = ''
    for (const [index, element] of elements.entries()) {
      const point = points[index]
      if (point === undefined) continue
      const pixel = scenePixel(scene, placed, point)
      element.style.transform = `translate(${Math.round(pixel.xPx + xPx)}px, ${Math.round(pixel.yPx + yPx)}px)`
    }
  }

  const follow = () => {
    const { camera, overlayOffset } = view
    if (camera.zoom !== placed.zoom) {
      placeAll()
      return
    }
    const from = scenePixel(scene, placed, anchor)
    const to = scenePixel(scene, camera, anchor)
    const xPx = to.xPx - from.xPx + overlayOffset.xPx - offset.xPx
    const yPx = to.yPx - from.yPx + overlayOffset.yPx - offset.yPx
    layer.style.transform = `translate(${Math.round(xPx)}px, ${Math.round(yPx)}px)`
  }

  placeAll()
  return view.subscribe(follow)
}
