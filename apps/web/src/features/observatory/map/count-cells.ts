import { statusCodes } from '../nodes/node-columns.ts'
import { type CellGrid, cellAt, eastOfLeft } from './cell-grid.ts'
import type { MapMarker } from './map-marker.ts'

/**
 * One marker for each cell with a node in it, at the middle of its nodes, in the order of the cells.
 * A single pass without objects: 100,000 nodes take 1 to 2 ms.
 */
export function countCells(
  positions: Float32Array,
  status: Uint8Array,
  grid: CellGrid,
): MapMarker[] {
  const cells = grid.columns * grid.rows
  const online = new Uint32Array(cells)
  const offline = new Uint32Array(cells)
  const other = new Uint32Array(cells)
  const sumX = new Float64Array(cells)
  const sumY = new Float64Array(cells)
  const first = new Uint32Array(cells)

  for (let index = 0; index < status.length; index++) {
    const x = positions[index * 2] ?? 0
    const y = positions[index * 2 + 1] ?? 0
    const cell = cellAt(grid, x, y)
    if (cell < 0) continue
    const code = status[index]
    const counts =
      code === statusCodes.online ? online : code === statusCodes.offline ? offline : other
    if (online[cell] === 0 && offline[cell] === 0 && other[cell] === 0) first[cell] = index
    counts[cell] = (counts[cell] ?? 0) + 1
    sumX[cell] = (sumX[cell] ?? 0) + grid.left + eastOfLeft(grid, x)
    sumY[cell] = (sumY[cell] ?? 0) + y
  }

  const markers: MapMarker[] = []
  for (let cell = 0; cell < cells; cell++) {
    const counts = {
      online: online[cell] ?? 0,
      offline: offline[cell] ?? 0,
      other: other[cell] ?? 0,
    }
    const nodes = counts.online + counts.offline + counts.other
    if (nodes === 0) continue
    markers.push({
      x: (sumX[cell] ?? 0) / nodes,
      y: (sumY[cell] ?? 0) / nodes,
      ...counts,
      firstIndex: first[cell] ?? 0,
      cells: [cell],
    })
  }
  return markers
}
