/** Longitude and latitude, as in GeoJSON. */
type Position = number[]

/** The same angle between -180 and 180 degrees. */
export function withinHalfTurn(deg: number): number {
  return deg - 360 * Math.round(deg / 360)
}

/** A line on the globe, flattened. Past the antimeridian its longitudes continue beyond 180. */
export function unrolledLine(line: readonly Position[]): Position[] {
  let turnDeg = 0
  let beforeDeg = line[0]?.[0] ?? 0
  return line.map(([lonDeg = 0, latDeg = 0]) => {
    if (lonDeg - beforeDeg > 180) turnDeg -= 360
    else if (beforeDeg - lonDeg > 180) turnDeg += 360
    beforeDeg = lonDeg
    return [lonDeg + turnDeg, latDeg]
  })
}

/** The same for the edge of an area. A ring around a pole is closed along the pole. */
export function unrolledRing(ring: readonly Position[]): Position[] {
  const line = unrolledLine(ring)
  const [firstDeg = 0, latDeg = 0] = line[0] ?? []
  const [lastDeg = 0] = line.at(-1) ?? []
  if (line.length === 0 || Math.abs(lastDeg - firstDeg) < 180) return line
  const poleDeg = latDeg < 0 ? -90 : 90
  return [...line, [lastDeg, poleDeg], [firstDeg, poleDeg], [firstDeg, latDeg]]
}

/** The polygons of an area, each as its outline and its holes. */
export function polygonsOf(geometry: GeoJSON.Geometry): Position[][][] {
  if (geometry.type === 'MultiPolygon') return geometry.coordinates
  return geometry.type === 'Polygon' ? [geometry.coordinates] : []
}
