import { type CellGrid, cellAt, eastOfLeft } from './cell-grid.ts'
import type { MapMarker } from './map-marker.ts'

export interface MarkerMembers {
  /** The first of its nodes, as many as were asked for. */
  readonly indexes: readonly number[]
  /** The world's part that all of them lie in. */
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** The nodes that a marker stands for, found again by the cells that it was made of. */
export function markerMembers(
  marker: MapMarker,
  positions: Float32Array,
  grid: CellGrid,
  most: number,
): MarkerMembers {
  const cells = new Set(marker.cells)
  const indexes: number[] = []
  let west = Infinity
  let east = -Infinity
  let north = Infinity
  let south = -Infinity
  for (let index = 0; index * 2 < positions.length; index++) {
    const x = positions[index * 2] ?? 0
    const y = positions[index * 2 + 1] ?? 0
    if (!cells.has(cellAt(grid, x, y))) continue
    const unwrapped = grid.left + eastOfLeft(grid, x)
    west = Math.min(west, unwrapped)
    east = Math.max(east, unwrapped)
    north = Math.min(north, y)
    south = Math.max(south, y)
    if (indexes.length < most) indexes.push(index)
  }
  return { indexes, west, east, north, south }
}
