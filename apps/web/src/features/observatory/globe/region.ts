import type { GeoPoint } from './geo-point.ts'

/** A 30-degree cell, counted from -90 and from -180. */
export interface Region {
  readonly latBand: number
  readonly lonBand: number
}

export const regionDeg = 30
const latBands = 180 / regionDeg
const lonBands = 360 / regionDeg

/** The cell that a place lies in; the north pole and longitude 180 belong to the last bands. */
export function regionAt({ latDeg, lonDeg }: GeoPoint): Region {
  return {
    latBand: band(latDeg + 90, latBands),
    lonBand: band(lonDeg + 180, lonBands),
  }
}

export function regionCentre({ latBand, lonBand }: Region): GeoPoint {
  return {
    latDeg: (latBand + 0.5) * regionDeg - 90,
    lonDeg: (lonBand + 0.5) * regionDeg - 180,
  }
}

/** Once around the cell, from its south-west corner by the south-east, a point every few degrees. */
export function regionOutline({ latBand, lonBand }: Region, stepDeg: number): readonly GeoPoint[] {
  const south = latBand * regionDeg - 90
  const west = lonBand * regionDeg - 180
  const north = south + regionDeg
  const east = west + regionDeg
  const steps = Math.ceil(regionDeg / stepDeg)
  const outline: GeoPoint[] = []
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

function band(offsetDeg: number, bands: number): number {
  return Math.min(bands - 1, Math.max(0, Math.floor(offsetDeg / regionDeg)))
}
