import * as v from 'valibot'
import { latMaxDeg, lonMaxDeg } from './limits.ts'

/** How exactly others see where a device is: exactly, or to about 1 or 10 km. */
export const Precision = v.picklist(['exact', 'km1', 'km10'], 'Precision is exact, km1 or km10.')
export type Precision = v.InferOutput<typeof Precision>

/** In degrees. */
export interface Place {
  readonly lat: number
  readonly lon: number
}

/** A cell of a grid. Rows count from the south pole, cells of a row from 180° west. */
interface Cell {
  readonly row: number
  readonly index: number
  /** The number of cells in its row. */
  readonly count: number
}

interface Grid {
  readonly rowsPerDeg: number
  /** How many decimals tell the grid's cells apart. */
  readonly decimals: number
}

/** Rows 1.11 and 11.1 km high: a degree of latitude is 111 km. */
const fine: Grid = { rowsPerDeg: 100, decimals: 3 }
const coarse: Grid = { rowsPerDeg: 10, decimals: 2 }
const fineRowsPerCoarse = fine.rowsPerDeg / coarse.rowsPerDeg

/**
 * What others see of a location: the centre of its cell. Towards the poles, rows have fewer cells, so that
 * all cells are about as wide as they are high. Each fine cell lies within one coarse cell, so the coarse
 * one adds nothing to what the fine one reveals.
 */
export function coarsePlace({ lat, lon }: Place, precision: Precision): Place {
  if (precision === 'exact') return { lat, lon }
  const row = Math.min(Math.floor((lat + latMaxDeg) * fine.rowsPerDeg), rowsOf(fine) - 1)
  const coarseRow = Math.floor(row / fineRowsPerCoarse)
  const coarseCount = Math.round(rowLength(coarseRow, coarse))
  const parts = Math.max(1, Math.round(rowLength(row, fine) / coarseCount))
  const count = coarseCount * parts
  // 180° east is 180° west.
  const index = Math.floor(((lon + lonMaxDeg) / (2 * lonMaxDeg)) * count) % count
  return precision === 'km1'
    ? centreOf({ row, index, count }, fine)
    : centreOf({ row: coarseRow, index: Math.floor(index / parts), count: coarseCount }, coarse)
}

function rowsOf({ rowsPerDeg }: Grid): number {
  return 2 * latMaxDeg * rowsPerDeg
}

/** The length of a row along its middle, in row heights. */
function rowLength(row: number, { rowsPerDeg }: Grid): number {
  const middleDeg = (row + 0.5) / rowsPerDeg - latMaxDeg
  return 2 * lonMaxDeg * rowsPerDeg * Math.cos((middleDeg * Math.PI) / 180)
}

function centreOf({ row, index, count }: Cell, { rowsPerDeg, decimals }: Grid): Place {
  return {
    lat: rounded((row + 0.5) / rowsPerDeg - latMaxDeg, decimals),
    lon: rounded(((index + 0.5) / count) * 2 * lonMaxDeg - lonMaxDeg, decimals),
  }
}

function rounded(value: number, decimals: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0
}
