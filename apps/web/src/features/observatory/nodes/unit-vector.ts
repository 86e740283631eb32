/** Writes the place on the unit sphere that node-columns.ts describes. */
export function writeUnitVector(
  target: Float32Array,
  offset: number,
  latDeg: number,
  lonDeg: number,
): void {
  const lat = (latDeg * Math.PI) / 180
  const lon = (lonDeg * Math.PI) / 180
  target[offset] = Math.cos(lat) * Math.sin(lon)
  target[offset + 1] = Math.sin(lat)
  target[offset + 2] = Math.cos(lat) * Math.cos(lon)
}
