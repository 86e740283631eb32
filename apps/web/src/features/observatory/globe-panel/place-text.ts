import type { GeoPoint } from '../globe/geo-point.ts'

/** Degrees north or south: 30°S, 0°, 12.5°N. */
export function latText(latDeg: number): string {
  return degrees(latDeg, 'N', 'S')
}

/** Degrees east or west; 180 is both and has no letter. */
export function lonText(lonDeg: number): string {
  return Math.abs(lonDeg) === 180 ? '180°' : degrees(lonDeg, 'E', 'W')
}

/** A place in a tenth of a degree, about 11 km: as much as one can tell from the globe. */
export function placeText({ latDeg, lonDeg }: GeoPoint): string {
  return `${latText(tenths(latDeg))}, ${lonText(tenths(lonDeg))}`
}

function tenths(deg: number): number {
  return Math.round(deg * 10) / 10
}

function degrees(deg: number, positive: string, negative: string): string {
  if (deg === 0) return '0°'
  return `${Math.abs(deg)}°${deg > 0 ? positive : negative}`
}
