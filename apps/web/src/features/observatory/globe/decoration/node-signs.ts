import { coreRadiusOf, type Rgb, rgbOf } from '../../drawing/node-look.ts'
import { type NodeColumns, statusCodes } from '../../nodes/node-columns.ts'
import type { GlobeScene } from '../globe-scene.ts'
import type { ScreenPoint } from '../../../../lib/pointers.ts'
import { project } from '../projection.ts'

const ink: Rgb = rgbOf('#e8edf7')
const island: Rgb = rgbOf('#a78bfa')
const ground: Rgb = rgbOf('#05070f')

/** Number of lines that fill a mountain. */
const fillRows = 5
/**
 * Largest number of islands in view. Further ones keep their nodes' marks, so that all strokes of a frame
 * fit.
 */
const mostIslands = 100

/** Signs of single nodes in addition to their status: rings around private nodes, and islands. */
export function strokeNodeSigns(
  scene: GlobeScene,
  columns: NodeColumns,
  groupOf: Uint32Array | undefined,
): void {
  for (const index of columns.privates) {
    if ((groupOf?.[index] ?? 0) === 0) strokePrivate(scene, columns, index)
  }
  // In sky view they would cover the planet.
  if (scene.skyShare > 0) return
  let count = 0
  for (const index of columns.islands) {
    if (count >= mostIslands) return
    if ((groupOf?.[index] ?? 0) === 0 && strokeIsland(scene, columns, index)) count += 1
  }
}

function strokePrivate(scene: GlobeScene, columns: NodeColumns, index: number): void {
  const point = pointOf(scene, columns, index)
  if (point === undefined) return
  const core = coreRadiusOf(scene.nodeLook, columns.status[index])
  scene.strokes.ring(point.xPx, point.yPx, core + 3.5, 1.25, ink, 0.9)
}

/**
 * A mountain over water instead of the node's mark, filled if its carrier is online.
 * @returns whether it is in view
 */
function strokeIsland(scene: GlobeScene, columns: NodeColumns, index: number): boolean {
  const point = pointOf(scene, columns, index)
  if (point === undefined) return false
  const { strokes, nodeLook } = scene
  const { xPx, yPx } = point
  const size = Math.max(4, coreRadiusOf(nodeLook, columns.status[index]) + 2)
  strokes.disc(xPx, yPx, size + 2, 3, ground, 0.9)
  const top = yPx - size
  const foot = yPx + size * 0.55
  const half = size * 0.9
  strokes.line(xPx - half, foot, xPx, top, 1.75, island, 1)
  strokes.line(xPx, top, xPx + half, foot, 1.75, island, 1)
  strokes.line(xPx - half, foot, xPx + half, foot, 1.75, island, 1)
  strokes.line(xPx - size, yPx + size, xPx + size, yPx + size, 1.5, island, 0.9)
  if (columns.status[index] !== statusCodes.online) return true
  const rowPx = (foot - top) / fillRows
  for (let row = 0; row < fillRows; row++) {
    const y = top + (row + 0.5) * rowPx
    const reach = (half * (row + 0.5)) / fillRows
    strokes.line(xPx - reach, y, xPx + reach, y, rowPx + 0.5, island, 1)
  }
  return true
}

function pointOf(
  { projection }: GlobeScene,
  { latDeg, lonDeg }: NodeColumns,
  index: number,
): ScreenPoint | undefined {
  return project(projection, { latDeg: latDeg[index] ?? 0, lonDeg: lonDeg[index] ?? 0 })
}
