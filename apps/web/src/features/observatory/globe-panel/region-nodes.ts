import { type Region, regionDeg } from '../globe/region.ts'
import { type NodeColumns, statusCodes } from '../nodes/node-columns.ts'

export interface RegionNodes {
  readonly total: number
  readonly online: number
  /** At most as many as were asked for: the online first, then the offline, then the others. */
  readonly indexes: readonly number[]
}

/** From the south pole and from longitude -180, as the bands are counted. */
const lastLatDeg = 180
const lastLonDeg = 360

/** The nodes in a 30-degree cell; latitude 90 and longitude 180 belong to the last bands. */
export function nodesInRegion(
  { count, latDeg, lonDeg, status }: NodeColumns,
  { latBand, lonBand }: Region,
  most: number,
): RegionNodes {
  const south = latBand * regionDeg
  const west = lonBand * regionDeg
  const north = south + regionDeg
  const east = west + regionDeg
  const byStatus: Record<number, number[]> = {}
  let total = 0
  let online = 0
  for (let index = 0; index < count; index++) {
    const lat = (latDeg[index] ?? Number.NaN) + 90
    const lon = (lonDeg[index] ?? Number.NaN) + 180
    const isInside =
      lat >= south &&
      (lat < north || (lat === lastLatDeg && north === lastLatDeg)) &&
      lon >= west &&
      (lon < east || (lon === lastLonDeg && east === lastLonDeg))
    if (!isInside) continue
    total += 1
    const code = status[index] ?? statusCodes.other
    if (code === statusCodes.online) online += 1
    const found = (byStatus[code] ??= [])
    if (found.length < most) found.push(index)
  }
  const { [statusCodes.online]: on = [], [statusCodes.offline]: off = [] } = byStatus
  const { [statusCodes.other]: other = [] } = byStatus
  return { total, online, indexes: [...on, ...off, ...other].slice(0, most) }
}
