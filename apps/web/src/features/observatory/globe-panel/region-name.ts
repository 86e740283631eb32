import { type Region, regionDeg } from '../globe/region.ts'
import { latText, lonText } from './place-text.ts'

/** What most people would call each cell: from the south, and in each band from longitude -180. */
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

/** The cell's edges: '30°S to 0°, 120°E to 150°E'. */
export function regionBounds({ latBand, lonBand }: Region): string {
  const south = latBand * regionDeg - 90
  const west = lonBand * regionDeg - 180
  return [
    `${latText(south)} to ${latText(south + regionDeg)}`,
    `${lonText(west)} to ${lonText(west + regionDeg)}`,
  ].join(', ')
}
