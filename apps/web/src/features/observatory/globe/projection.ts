import { type Place, placeOf, radPerDeg, unitVector } from '../geometry/unit-vector.ts'
import type { ScreenPoint } from '../../../lib/pointers.ts'
import type { ShownCamera } from './globe-camera.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'

export type { ScreenPoint }

export type Projection = ReturnType<typeof createProjection>

/** The orthographic projection of the sphere onto the canvas. One object, updated in every frame. */
export function createProjection() {
  // The axes are three unit vectors in a row: to the right, to the top, to the visitor.
  return { centreXPx: 0, centreYPx: 0, radiusPx: 1, axes: new Float32Array(9) }
}

export function centreOn(axes: Float32Array, latDeg: number, lonDeg: number): void {
  const cosLat = Math.cos(latDeg * radPerDeg)
  const sinLat = Math.sin(latDeg * radPerDeg)
  const cosLon = Math.cos(lonDeg * radPerDeg)
  const sinLon = Math.sin(lonDeg * radPerDeg)
  axes[0] = cosLon
  axes[1] = 0
  axes[2] = -sinLon
  axes[3] = -sinLat * sinLon
  axes[4] = cosLat
  axes[5] = -sinLat * cosLon
  axes[6] = cosLat * sinLon
  axes[7] = sinLat
  axes[8] = cosLat * cosLon
}

/** Undefined if the place is behind the globe. */
export function project(projection: Projection, point: Place): ScreenPoint | undefined {
  const [x, y, z] = unitVector(point)
  const { axes, centreXPx, centreYPx, radiusPx } = projection
  if (along(axes, 6, x, y, z) < 0) return undefined
  return {
    xPx: centreXPx + radiusPx * along(axes, 0, x, y, z),
    yPx: centreYPx - radiusPx * along(axes, 3, x, y, z),
  }
}

/** The place under a point of the canvas; undefined outside the globe. */
export function unproject(projection: Projection, point: ScreenPoint): Place | undefined {
  const { axes, centreXPx, centreYPx, radiusPx } = projection
  const right = (point.xPx - centreXPx) / radiusPx
  const up = (centreYPx - point.yPx) / radiusPx
  const square = right * right + up * up
  if (!(square <= 1)) return undefined
  const front = Math.sqrt(1 - square)
  const world = (i: number) =>
    (axes[i] ?? 0) * right + (axes[i + 3] ?? 0) * up + (axes[i + 6] ?? 0) * front
  return placeOf([world(0), world(1), world(2)])
}

export function along(axes: Float32Array, first: number, x: number, y: number, z: number): number {
  return (axes[first] ?? 0) * x + (axes[first + 1] ?? 0) * y + (axes[first + 2] ?? 0) * z
}

/** The planet's radius as a share of the canvas's shorter side, in earth view at zoom 1. */
const earthShare = 0.455
const skyShareOfSide = 0.26

export function placePlanet(
  projection: Projection,
  { skyShare, zoom, yawDeg, pitchDeg }: ShownCamera,
  widthPx: number,
  heightPx: number,
): void {
  const side = Math.min(widthPx, heightPx)
  const earth = side * earthShare * zoom
  // In sky view, zoom changes the planet's size only a little, so that it stays whole among its orbits.
  const sky = side * skyShareOfSide * zoom ** 0.35
  projection.centreXPx = widthPx / 2
  projection.centreYPx = heightPx / 2
  // Growth by equal factors looks even; growth by equal pixels does not.
  projection.radiusPx = earth ** (1 - skyShare) * sky ** skyShare
  centreOn(projection.axes, pitchDeg, yawDeg)
}

/**
 * The visible nodes within `reachPx` of a point, nearest first, then online before offline. Checks every
 * node: a quarter of the budget of 1 ms for 100,000, and an index by cells would need upkeep.
 */
export function pickNodes(
  { axes, centreXPx, centreYPx, radiusPx }: Projection,
  { unit, status, count }: NodeColumns,
  point: ScreenPoint,
  reachPx: number,
): number[] {
  const [rx = 0, ry = 0, rz = 0, ux = 0, uy = 0, uz = 0, fx = 0, fy = 0, fz = 0] = axes
  const right = (point.xPx - centreXPx) / radiusPx
  const up = (centreYPx - point.yPx) / radiusPx
  const reachSquare = (reachPx / radiusPx) ** 2
  const found: { index: number; square: number }[] = []
  for (let index = 0, at = 0; index < count; index++, at += 3) {
    const x = unit[at] ?? 0
    const y = unit[at + 1] ?? 0
    const z = unit[at + 2] ?? 0
    const toRight = rx * x + ry * y + rz * z - right
    const toTop = ux * x + uy * y + uz * z - up
    const square = toRight * toRight + toTop * toTop
    if (square > reachSquare || fx * x + fy * y + fz * z < 0) continue
    found.push({ index, square })
  }
  found.sort(
    (one, other) =>
      one.square - other.square ||
      (status[other.index] ?? 0) - (status[one.index] ?? 0) ||
      one.index - other.index,
  )
  return found.map(({ index }) => index)
}
