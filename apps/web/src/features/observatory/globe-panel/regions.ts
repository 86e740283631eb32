import { type Region, regionDeg } from '../globe/region.ts'
import { type NodeColumns, statusCodes } from '../nodes/node-columns.ts'

/** Common names of the cells: bands from south to north, each from longitude -180 eastwards. */
const regionNames: readonly (readonly string[])[] = [
  [
    'Ross Sea',
    'Marie Byrd Land',
    'Ellsworth Land',
    'Antarctic Peninsula',
    'Weddell Sea',
    'Coats Land',
    'Queen Maud Land',
    'Enderby Land',
    'Mac Robertson Land',
    'Wilkes Land',
    'Adélie Land',
    'Victoria Land',
  ],
  [
    'Chatham Islands',
    'South Pacific',
    'South Pacific',
    'Chile and Patagonia',
    'Río de la Plata',
    'South Atlantic',
    'Cape of Good Hope',
    'Southern Indian Ocean',
    'Kerguelen',
    'Southwestern Australia',
    'Southern Australia',
    'New Zealand and Tasman Sea',
  ],
  [
    'Samoa and Cook Islands',
    'French Polynesia',
    'Easter Island',
    'Central Andes',
    'Brazil',
    'Saint Helena',
    'Congo, Angola and Namibia',
    'East Africa and Madagascar',
    'Indian Ocean',
    'Java and Western Australia',
    'Northern Australia and New Guinea',
    'Melanesia',
  ],
  [
    'Hawaii',
    'Eastern Pacific',
    'Mexico',
    'Caribbean',
    'Guianas',
    'West Africa',
    'North Central Africa',
    'Arabia and Horn of Africa',
    'India',
    'Southeast Asia',
    'Philippines',
    'Micronesia',
  ],
  [
    'Gulf of Alaska',
    'Pacific Northwest',
    'Western North America',
    'Eastern North America',
    'Newfoundland',
    'Western Europe',
    'Central Europe',
    'Black Sea and Caspian Sea',
    'Central Asia',
    'Mongolia and North China',
    'Japan and Korea',
    'Kamchatka',
  ],
  [
    'Western Alaska',
    'Yukon',
    'Arctic Canada',
    'Baffin Island',
    'Greenland',
    'Iceland',
    'Scandinavia',
    'Barents Sea',
    'Western Siberia',
    'Central Siberia',
    'Yakutia',
    'Chukotka',
  ],
]

export function regionName({ latBand, lonBand }: Region): string {
  return regionNames[latBand]?.[lonBand] ?? ''
}

export interface RegionNodes {
  readonly total: number
  readonly online: number
  /** At most `most` nodes: online first, then offline, then the others. */
  readonly indexes: readonly number[]
}

const lastLatDeg = 90
const lastLonDeg = 180

/** The nodes in a 30-degree cell. Latitude 90 and longitude 180 belong to the last bands. */
export function nodesInRegion(
  { count, latDeg, lonDeg, status }: NodeColumns,
  { latBand, lonBand }: Region,
  most: number,
): RegionNodes {
  const south = latBand * regionDeg - lastLatDeg
  const west = lonBand * regionDeg - lastLonDeg
  const north = south + regionDeg
  const east = west + regionDeg
  const byStatus: Record<number, number[]> = {}
  let total = 0
  let online = 0
  for (let index = 0; index < count; index++) {
    const lat = latDeg[index] ?? Number.NaN
    const lon = lonDeg[index] ?? Number.NaN
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
