export interface GeoPoint {
  readonly latDeg: number
  readonly lonDeg: number
}

export type Vector = readonly [x: number, y: number, z: number]

export const radPerDeg = Math.PI / 180

/** A place on the unit sphere: y to the north pole, z to lat 0, lon 0, as the nodes' columns have it. */
export function toVector({ latDeg, lonDeg }: GeoPoint): Vector {
  const lat = latDeg * radPerDeg
  const lon = lonDeg * radPerDeg
  return [Math.cos(lat) * Math.sin(lon), Math.sin(lat), Math.cos(lat) * Math.cos(lon)]
}

/** The place of a unit vector; the longitude of a pole is 0. */
export function toGeoPoint([x, y, z]: Vector): GeoPoint {
  return {
    latDeg: Math.asin(Math.min(1, Math.max(-1, y))) / radPerDeg,
    lonDeg: Math.atan2(x, z) / radPerDeg,
  }
}
