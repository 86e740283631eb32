import type { Place } from '@astropelago/contract/place'
import { afterAction, type MapAction } from '../map/map-controls.tsx'
import {
  type MapCamera,
  type MapSize,
  pannedBy,
  wholeWorld,
  worldSizePx,
} from '../map/map-camera.ts'

/** Close enough to tell where in a country one is. */
const placeZoom = 6
const stepPx = 24
const smallStepPx = 2

const steps: Readonly<Partial<Record<MapAction, readonly [east: number, south: number]>>> = {
  west: [-1, 0],
  east: [1, 0],
  north: [0, -1],
  south: [0, 1],
}

/** The camera on a place, or on the whole world where none is known. */
export function cameraOn(place: Place | undefined, size: MapSize): MapCamera {
  if (place === undefined) return wholeWorld(size)
  return { latDeg: place.lat, lonDeg: place.lon, zoom: placeZoom }
}

/** What keys and buttons do: all but the zooms move the place, which is in the middle. */
export function cameraAfter(
  action: MapAction,
  isSmall: boolean,
  camera: MapCamera,
  size: MapSize,
): MapCamera {
  const step = steps[action]
  if (step === undefined) {
    const { zoom } = afterAction(action, camera, size)
    return { ...camera, zoom }
  }
  const px = isSmall ? smallStepPx : stepPx
  return pannedBy(camera, size, step[0] * px, step[1] * px)
}

/** The place in the middle, with as many decimals as one pixel tells. */
export function placeIn({ latDeg, lonDeg, zoom }: MapCamera): Place {
  const degPerPx = 360 / worldSizePx(zoom)
  const scale = 10 ** Math.ceil(-Math.log10(degPerPx))
  // Adding 0 makes an ordinary zero of a negative one.
  const rounded = (deg: number) => Math.round(deg * scale) / scale + 0
  return { lat: rounded(latDeg), lon: rounded(lonDeg) }
}
