import { countryName } from '../country-name.ts'
import { coordinateScale, type TownList } from './town-list.ts'

export interface Town {
  readonly name: string
  /** 'Austria' or 'TX, United States' */
  readonly region: string
  readonly lat: number
  readonly lon: number
}

/** The search index is one text that is searched as a whole. */
export interface Towns {
  readonly count: number
  town(index: number): Town
  /** The normalized names, each after a line break. */
  readonly folded: string
  /** Where each name's line begins in `folded`. */
  readonly starts: Uint32Array
  /** The normalized words of a town's region, also in English, each after a space. */
  foldedRegion(index: number): string
}

const englishNames = new Intl.DisplayNames('en', { type: 'region' })

export function indexTowns(list: TownList): Towns {
  const names = list.names.split('\n')
  const regions = list.regions.split(' ')
  const namesOfRegions = new Map(
    Array.from(new Set(regions), (region) => {
      const [country = '', state] = region.split('-')
      const english = englishNames.of(country) ?? country
      const own = countryName(country) ?? english
      const name = state === undefined ? own : `${state}, ${own}`
      return [region, { name, folded: ` ${foldName(`${name} ${english}`)}` }] as const
    }),
  )
  const folded = `\n${foldName(list.names)}`
  const starts = new Uint32Array(names.length)
  let start = 0
  for (let index = 0; index < names.length; index++) {
    starts[index] = start
    start = folded.indexOf('\n', start + 1)
  }
  const regionOf = (index: number) => namesOfRegions.get(regions[index] ?? '')
  return {
    count: names.length,
    folded,
    starts,
    town: (index) => ({
      name: names[index] ?? '',
      region: regionOf(index)?.name ?? '',
      lat: (list.lat[index] ?? 0) / coordinateScale,
      lon: (list.lon[index] ?? 0) / coordinateScale,
    }),
    foldedRegion: (index) => regionOf(index)?.folded ?? '',
  }
}

/** Letters that do not decompose into a base letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}

/** Removes case, accents, apostrophes and hyphens. Line breaks stay. */
export function foldName(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|['’‘ʿ`]/gu, '')
    .replace(/[ßæœøðđþłı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\n]+/gu, ' ')
}

/** The largest first. Text after a comma is the region. Takes 0.1 ms for 20,000 towns. */
export function searchTowns(towns: Towns, typed: string, limit: number): Town[] {
  const [typedName = '', ...rest] = typed.split(',')
  const name = foldName(typedName).trim()
  const region = foldName(rest.join(' ')).trim()
  if (name === '') return []
  // A town can match with several words, and with its other names.
  const found = new Map<string, Town>()
  for (const lead of ['\n', ' ']) {
    let from = towns.folded.indexOf(lead + name)
    while (from !== -1 && found.size < limit) {
      const index = lineAt(towns.starts, from)
      if (region === '' || towns.foldedRegion(index).includes(` ${region}`)) {
        const town = towns.town(index)
        const place = `${town.lat},${town.lon}`
        if (!found.has(place)) found.set(place, town)
      }
      from = towns.folded.indexOf(lead + name, from + 1)
    }
  }
  return [...found.values()]
}

/** The last line that begins at or before a position. */
function lineAt(starts: Uint32Array, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
