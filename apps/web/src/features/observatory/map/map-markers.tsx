import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { MapMarker } from './map-marker.ts'
import type { MapView } from './map-view.ts'
import { MapPin, type MapPinProps } from './map-pin.tsx'
import { MarkerButton } from './marker-button.tsx'
import { markerKey } from './marker-key.ts'
import { followMap } from './follow-map.ts'
import { type MarkerScene, scenePixel } from './marker-scene.ts'
import { type Direction, nextMarker } from './next-marker.ts'

interface MapMarkersProps {
  readonly view: MapView
  readonly scene: MarkerScene
  readonly pins: readonly MapPinProps[]
  readonly onOpen: (marker: MapMarker) => void
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** The markers on the map. One of them is in the Tab order; arrows go on from there. */
export function MapMarkers({ view, scene, pins, onOpen }: MapMarkersProps) {
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
    const places = scene.markers.map((point) => scenePixel(scene, view.camera, point))
    const next = nextMarker(places, scenePixel(scene, view.camera, marker), direction)
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
