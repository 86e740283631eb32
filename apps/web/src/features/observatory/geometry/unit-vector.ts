export interface Place {
  readonly latDeg: number
  readonly lonDeg: number
}

type UnitVector = readonly [x: number, y: number, z: number]

export const radPerDeg = Math.PI / 180

/** A place on the unit sphere: y to the north pole, z to lat 0, lon 0. */
export function unitVector({ latDeg, lonDeg }: Place): UnitVector {
  const vector: [number, number, number] = [0, 0, 0]
  writeUnitVector(vector, 0, latDeg, lonDeg)
  return vector
}

/** Writes the same into an array of many vectors, without creating an object. */
export function writeUnitVector(
  target: Float32Array | number[],
  offset: number,
  latDeg: number,
  lonDeg: number,
): void {
  const lat = latDeg * radPerDeg
  const lon = lonDeg * radPerDeg
  target[offset] = Math.cos(lat) * Math.sin(lon)
  target[offset + 1] = Math.sin(lat)
  target[offset + 2] = Math.cos(lat) * Math.cos(lon)
}

/** The place of a unit vector. The longitude of a pole is 0. */
export function placeOf([x, y, z]: UnitVector): Place {
  return {
    latDeg: Math.asin(Math.min(1, Math.max(-1, y))) / radPerDeg,
    lonDeg: Math.atan2(x, z) / radPerDeg,
  }
}
