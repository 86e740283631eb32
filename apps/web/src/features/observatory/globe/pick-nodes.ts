import type { NodeColumns } from '../nodes/node-columns.ts'
import type { GlobeCamera } from './globe-camera.ts'
import { along, lookDownOn, type Projection, type ScreenPoint } from './projection.ts'

/**
 * The nodes within `reachPx` of a point of the canvas that are not behind the globe: the nearest
 * first, of equally near ones the online before the offline. Looks at every node: at 100,000 that
 * takes a quarter of the millisecond that it may, and an index by cells would have to be kept up.
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

interface Picture {
  readonly radiusPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** The nodes that are within the picture and not behind the globe: first those nearest its middle. */
export function visibleNodes(
  { count, unit }: NodeColumns,
  { yawDeg, pitchDeg }: GlobeCamera,
  { radiusPx, widthPx, heightPx }: Picture,
): Uint32Array {
  const axes = new Float32Array(9)
  lookDownOn(axes, pitchDeg, yawDeg)
  const farthestRight = widthPx / 2 / radiusPx
  const farthestUp = heightPx / 2 / radiusPx
  const front = new Float32Array(count)
  const visible = new Uint32Array(count)
  let found = 0
  for (let index = 0, at = 0; index < count; index++, at += 3) {
    const x = unit[at] ?? 0
    const y = unit[at + 1] ?? 0
    const z = unit[at + 2] ?? 0
    const toFront = along(axes, 6, x, y, z)
    if (toFront < 0) continue
    if (Math.abs(along(axes, 0, x, y, z)) > farthestRight) continue
    if (Math.abs(along(axes, 3, x, y, z)) > farthestUp) continue
    front[index] = toFront
    visible[found] = index
    found += 1
  }
  return visible
    .subarray(0, found)
    .toSorted((one, other) => (front[other] ?? 0) - (front[one] ?? 0) || one - other)
}
