import { type MapCamera, type MapSize, worldSizePx } from './map-camera.ts'
import { worldPoint } from './mercator.ts'

/** The least side of a cell on the screen; between two whole zooms it is up to twice as long. */
const cellPx = 32
/** How much more than the screen is counted on each side: a small drag then shows no bare edge. */
const marginShare = 0.25

/**
 * The cells that lie on the screen. They are counted from the world's corner, so that panning moves no
 * node into another cell. Lengths are shares of the world; x grows on past the antimeridian.
 */
export interface CellGrid {
  readonly left: number
  readonly top: number
  /** At most 1: nothing is counted on two copies of the world. */
  readonly width: number
  readonly height: number
  readonly cell: number
  readonly firstColumn: number
  readonly firstRow: number
  readonly columns: number
  readonly rows: number
}

export function cellGrid(camera: MapCamera, size: MapSize): CellGrid {
  const centre = worldPoint(camera.latDeg, camera.lonDeg)
  const sizePx = worldSizePx(camera.zoom)
  const cell = cellPx / worldSizePx(Math.floor(camera.zoom))
  const width = Math.min(1, (size.widthPx / sizePx) * (1 + 2 * marginShare))
  const height = (size.heightPx / sizePx) * (1 + 2 * marginShare)
  const left = centre.x - width / 2
  const top = centre.y - height / 2
  const firstColumn = Math.floor(left / cell)
  const firstRow = Math.floor(top / cell)
  return {
    left,
    top,
    width,
    height,
    cell,
    firstColumn,
    firstRow,
    columns: Math.floor((left + width) / cell) - firstColumn + 1,
    rows: Math.floor((top + height) / cell) - firstRow + 1,
  }
}

/** How far east of the grid's left edge an x lies, on whichever copy of the world. */
export function eastOfLeft(grid: CellGrid, x: number): number {
  const turn = x - grid.left
  return turn - Math.floor(turn)
}

/** The cell that a place of the world lies in, or -1 where that is off the grid. */
export function cellAt(grid: CellGrid, x: number, y: number): number {
  const east = eastOfLeft(grid, x)
  if (east > grid.width || y < grid.top || y > grid.top + grid.height) return -1
  const column = Math.floor((grid.left + east) / grid.cell) - grid.firstColumn
  const row = Math.floor(y / grid.cell) - grid.firstRow
  // Rounding can carry a place on the very edge one cell too far.
  return Math.min(row, grid.rows - 1) * grid.columns + Math.min(column, grid.columns - 1)
}
