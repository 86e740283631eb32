import { type Region, regionDeg } from '../globe/region.ts'
import { latText, lonText } from './place-text.ts'

/** The cell's edges: '30°S to 0°, 120°E to 150°E'. */
export function regionBounds({ latBand, lonBand }: Region): string {
  const south = latBand * regionDeg - 90
  const west = lonBand * regionDeg - 180
  return [
    `${latText(south)} to ${latText(south + regionDeg)}`,
    `${lonText(west)} to ${lonText(west + regionDeg)}`,
  ].join(', ')
}
