import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { decimalNumber } from './decimal-number.ts'

export interface TypedPlace {
  readonly lat: string
  readonly lon: string
}

export const readLat = (text: string) => degrees(text, latMaxDeg)
export const readLon = (text: string) => degrees(text, lonMaxDeg)

/** Undefined if the input is not a place on Earth. */
export function readPlace(typed: TypedPlace): Place | undefined {
  const lat = readLat(typed.lat)
  const lon = readLon(typed.lon)
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}

function degrees(text: string, maxDeg: number): number | undefined {
  const value = decimalNumber(text)
  return value !== undefined && Math.abs(value) <= maxDeg ? value : undefined
}
