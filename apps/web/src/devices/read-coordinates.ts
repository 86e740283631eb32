import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { roundDegrees } from '../lib/find-place.ts'

function anglePattern(which: 'One' | 'Two', letter: 'before' | 'after', point: string): string {
  const number = (name: string) => String.raw`(?<${name}${which}>\d+(?:${point}\d+)?)`
  const side = `(?<side${which}>[NSEW])`
  return [
    letter === 'before' ? String.raw`(?:${side}\s*)?` : '',
    `(?<sign${which}>[+−-]?)`,
    number('deg'),
    String.raw`(?:\s*[°º])?`,
    String.raw`(?:\s*${number('min')}\s*['’′])?`,
    String.raw`(?:\s*${number('sec')}\s*(?:["”″]|''))?`,
    letter === 'after' ? String.raw`(?:\s*${side})?` : '',
  ].join('')
}

const patterns = (['before', 'after'] as const)
  .flatMap((letter) => {
    const angles = (point: string, gap: string) =>
      `^${anglePattern('One', letter, point)}${gap}${anglePattern('Two', letter, point)}$`
    return [
      // If a separator other than a bare comma divides them, the numbers may have decimal commas.
      angles('[.,]', String.raw`(?:\s*;\s*|\s*,\s+|\s+|(?<=[°'’′"”″NSEW]))`),
      // A bare comma separates the numbers only if something else shows that it is not a decimal comma.
      `(?=.*[.°NSEW])${angles('[.]', ',')}`,
    ]
  })
  .map((pattern) => new RegExp(pattern, 'i'))

/** Nobody writes longer coordinates, and refusing longer text takes long. */
const maxLength = 80

/**
 * Parses a place in the notations that maps and people use: '52.52, 13.405', '52,52; 13,405', '52,52
 * 13,405', '52.52° N 13.405° E', '52°31′12″N 13°24′18″E'. Undefined for a single number, even one with a
 * decimal comma, and for coordinates out of range.
 */
export function readCoordinates(text: string): Place | undefined {
  if (text.length > maxLength) return undefined
  const plain = text.trim().replace(/^\((.*)\)$|^geo:(.*)$/is, '$1$2')
  for (const pattern of patterns) {
    const parts = pattern.exec(plain)?.groups
    if (parts !== undefined) return placeOf(readAngle(parts, 'One'), readAngle(parts, 'Two'))
  }
  return undefined
}

interface Angle {
  readonly deg: number
  readonly side: string
}

type Parts = Readonly<Record<string, string | undefined>>

/** Undefined for contradictions, such as a letter with a sign, or 60 minutes. */
function readAngle(parts: Parts, which: 'One' | 'Two'): Angle | undefined {
  const number = (name: string) => Number((parts[name + which] ?? '0').replace(',', '.'))
  const side = (parts[`side${which}`] ?? '').toUpperCase()
  const sign = parts[`sign${which}`] ?? ''
  if ((side !== '' && sign !== '') || number('min') >= 60 || number('sec') >= 60) return undefined
  const size = number('deg') + number('min') / 60 + number('sec') / 3600
  const isNegative = side === 'S' || side === 'W' || sign === '-' || sign === '−'
  return { deg: roundDegrees(isNegative ? -size : size), side }
}

/** Latitude comes first, unless letters say otherwise. */
function placeOf(one: Angle | undefined, two: Angle | undefined): Place | undefined {
  if (one === undefined || two === undefined) return undefined
  const sides = `${kindOf(one)}${kindOf(two)}`
  if (sides !== '' && sides !== 'latlon' && sides !== 'lonlat') return undefined
  const [lat, lon] = sides === 'lonlat' ? [two.deg, one.deg] : [one.deg, two.deg]
  return Math.abs(lat) <= latMaxDeg && Math.abs(lon) <= lonMaxDeg ? { lat, lon } : undefined
}

function kindOf({ side }: Angle): '' | 'lat' | 'lon' {
  if (side === '') return ''
  return side === 'N' || side === 'S' ? 'lat' : 'lon'
}
