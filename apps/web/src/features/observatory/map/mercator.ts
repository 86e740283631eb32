/** Where the web's maps end: there their square world is cut off. */
export const maxLatDeg = 85.051129

/** A place on the square world of web maps: 0 to 1 from west to east and from north to south. */
export interface WorldPoint {
  readonly x: number
  readonly y: number
}

/** Places nearer to a pole than maxLatDeg are drawn at the world's edge. */
export function worldPoint(latDeg: number, lonDeg: number): WorldPoint {
  return { x: worldX(lonDeg), y: worldY(latDeg) }
}

export function worldX(lonDeg: number): number {
  return (lonDeg + 180) / 360
}

export function worldY(latDeg: number): number {
  const lat = (Math.max(-maxLatDeg, Math.min(maxLatDeg, latDeg)) * Math.PI) / 180
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + lat / 2)) / (2 * Math.PI)
}

/** The longitude is brought into -180 to 180, whichever copy of the world the point is on. */
export function geoPoint({ x, y }: WorldPoint): { latDeg: number; lonDeg: number } {
  const lat = 2 * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - Math.PI / 2
  return { latDeg: (lat * 180) / Math.PI, lonDeg: (x - Math.floor(x)) * 360 - 180 }
}

/** How far it is eastwards from one x to another on the nearest way round: -0.5 to 0.5. */
export function nearestTurn(fromX: number, toX: number): number {
  const turn = toX - fromX
  return turn - Math.round(turn)
}
