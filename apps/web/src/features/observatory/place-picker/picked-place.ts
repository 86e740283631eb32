import type { Place } from '@astropelago/contract/place'
import { afterAction, type MapAction } from '../map/map-controls.tsx'
import {
  type MapCamera,
  type MapSize,
  pannedBy,
  wholeWorld,
  worldSizePx,
} from '../map/map-camera.ts'

/** Close enough to recognise a place within a country. */
const placeZoom = 6
const stepPx = 24
const smallStepPx = 2

const steps: Readonly<Partial<Record<MapAction, readonly [east: number, south: number]>>> = {
  west: [-1, 0],
  east: [1, 0],
  north: [0, -1],
  south: [0, 1],
}

/** The camera on a place, or on the whole world if none is set. */
export function cameraOn(place: Place | undefined, size: MapSize): MapCamera {
  if (place === undefined) return wholeWorld(size)
  return { latDeg: place.lat, lonDeg: place.lon, zoom: placeZoom }
}

/**
 * The camera after a key or a button. Zooming keeps the place; all other actions move it, because it is the
 * map's centre.
 */
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

/** The place in the centre, rounded to the precision of one pixel. */
export function placeIn({ latDeg, lonDeg, zoom }: MapCamera): Place {
  const degPerPx = 360 / worldSizePx(zoom)
  const scale = 10 ** Math.ceil(-Math.log10(degPerPx))
  // Adding 0 turns -0 into 0.
  const rounded = (deg: number) => Math.round(deg * scale) / scale + 0
  return { lat: rounded(latDeg), lon: rounded(lonDeg) }
}
