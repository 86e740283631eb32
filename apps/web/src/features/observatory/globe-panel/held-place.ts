import { type GeoPoint, radPerDeg } from '../globe/geo-point.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'

/** A point of the globe's disc, in its radii from the centre. */
export interface DiscPoint {
  readonly right: number
  readonly up: number
}

/**
 * The camera for which a place lies under a point of the disc, or as near to it as turning without
 * leaning to a side can bring it. Of several such cameras the one that needs the smallest turn; its
 * pitch may lie beyond a pole.
 *
 * With d the place's longitude from the middle: right = cos(lat) sin(d) gives d, then
 * up = sin(lat) cos(pitch) - cos(lat) cos(d) sin(pitch) gives the pitch.
 */
export function cameraHolding(camera: GlobeCamera, place: GeoPoint, point: DiscPoint): GlobeCamera {
  const lat = place.latDeg * radPerDeg
  const cosLat = Math.cos(lat)
  const sinLat = Math.sin(lat)
  // A place near a pole can't be brought far from the axis.
  const east = Math.asin(clampToOne(point.right / Math.max(cosLat, 1e-9)))
  const candidates = [east, Math.PI - east].flatMap((lonRad) => {
    const front = cosLat * Math.cos(lonRad)
    const reach = Math.hypot(sinLat, front)
    const lean = Math.atan2(front, sinLat)
    const rise = Math.acos(clampToOne(point.up / Math.max(reach, 1e-9)))
    return [rise - lean, -rise - lean].map((pitchRad) => ({
      yawDeg: place.lonDeg - lonRad / radPerDeg,
      pitchDeg: nearZero(pitchRad / radPerDeg),
      isInFront: sinLat * Math.sin(pitchRad) + front * Math.cos(pitchRad) >= -1e-9,
    }))
  })
  const turn = (candidate: { readonly yawDeg: number; readonly pitchDeg: number }) =>
    Math.abs(nearZero(candidate.yawDeg - camera.yawDeg)) +
    Math.abs(candidate.pitchDeg - camera.pitchDeg)
  // One that tips over a pole is kept for the globe to stop at: another would turn everything around.
  const [nearest] = candidates
    .filter(({ isInFront }) => isInFront)
    .toSorted((one, other) => turn(one) - turn(other))
  if (nearest === undefined) return camera
  return { ...camera, yawDeg: nearest.yawDeg, pitchDeg: nearest.pitchDeg }
}

/** The same angle between -180 and 180 degrees. */
function nearZero(deg: number): number {
  return deg - 360 * Math.round(deg / 360)
}

function clampToOne(value: number): number {
  return Math.min(1, Math.max(-1, value))
}
