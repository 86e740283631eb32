import { t } from '@lingui/core/macro'
import { formatDecimal } from '../../../language/format.ts'
import type { Place } from '../geometry/unit-vector.ts'

/** A 30-degree cell. Bands count from latitude -90 and longitude -180. */
export interface Region {
  readonly latBand: number
  readonly lonBand: number
}

export const regionDeg = 30
const latBands = 180 / regionDeg
const lonBands = 360 / regionDeg

/** The cell that contains a place. The north pole and longitude 180 belong to the last bands. */
export function regionAt({ latDeg, lonDeg }: Place): Region {
  return { latBand: band(latDeg, latBands), lonBand: band(lonDeg, lonBands) }
}

/** Once around the cell, from the south-west corner via the south-east, with a point every `stepDeg`. */
export function regionOutline({ latBand, lonBand }: Region, stepDeg: number): readonly Place[] {
  const south = latBand * regionDeg - 90
  const west = lonBand * regionDeg - 180
  const north = south + regionDeg
  const east = west + regionDeg
  const steps = Math.ceil(regionDeg / stepDeg)
  const outline: Place[] = []
  const side = (fromLat: number, fromLon: number, toLat: number, toLon: number) => {
    for (let i = 0; i < steps; i++) {
      const share = i / steps
      outline.push({
        latDeg: fromLat + (toLat - fromLat) * share,
        lonDeg: fromLon + (toLon - fromLon) * share,
      })
    }
  }
  side(south, west, south, east)
  side(south, east, north, east)
  side(north, east, north, west)
  side(north, west, south, west)
  return outline
}

/** Counts from the middle. A quotient may round up to an edge, so the edge is compared exactly. */
function band(deg: number, bands: number): number {
  const rounded = Math.floor(deg / regionDeg)
  const fromMiddle = deg < rounded * regionDeg ? rounded - 1 : rounded
  return Math.min(bands - 1, Math.max(0, bands / 2 + fromMiddle))
}

export function regionBounds({ latBand, lonBand }: Region): string {
  const south = latBand * regionDeg - 90
  const west = lonBand * regionDeg - 180
  const southEdge = latText(south)
  const northEdge = latText(south + regionDeg)
  const westEdge = lonText(west)
  const eastEdge = lonText(west + regionDeg)
  return t`${southEdge} to ${northEdge}, ${westEdge} to ${eastEdge}`
}

function latText(latDeg: number): string {
  const degrees = formatDecimal(Math.abs(latDeg))
  if (latDeg === 0) return `${degrees}°`
  return latDeg > 0 ? t`${degrees}°N` : t`${degrees}°S`
}

/** Degrees east or west. 180 is both and has no letter. */
function lonText(lonDeg: number): string {
  const degrees = formatDecimal(Math.abs(lonDeg))
  if (lonDeg === 0 || Math.abs(lonDeg) === 180) return `${degrees}°`
  return lonDeg > 0 ? t`${degrees}°E` : t`${degrees}°W`
}

/** A place to a tenth of a degree, about 11 km, as precise as the globe shows it. */
export function placeText({ latDeg, lonDeg }: Place): string {
  return `${latText(Math.round(latDeg * 10) / 10)}, ${lonText(Math.round(lonDeg * 10) / 10)}`
}
