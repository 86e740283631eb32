import type { NodeColumns } from '../nodes/node-columns.ts'
import type { Projection, ScreenPoint } from './projection.ts'

/**
 * The nodes within `reachPx` of a point of the canvas that are not behind the globe, nearest first. Of
 * equally near ones, online nodes come before offline ones. It checks every node: for 100,000 that takes a
 * quarter of its budget of 1 ms, and an index by cells would need upkeep.
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
