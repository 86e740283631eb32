import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import { defaultLabel, type SavedLocation } from '../../../lib/create-saved-location.ts'
import { decimalNumber } from '../../../lib/decimal-number.ts'

/** A location as it is typed. */
export interface LocationDraft {
  readonly label: string
  readonly lat: string
  readonly lon: string
}

interface Place {
  readonly lat: number
  readonly lon: number
}

export const emptyDraft: LocationDraft = { label: defaultLabel, lat: '', lon: '' }

/** What stands in the fields for this location, or for none. */
export function draftOf(location: SavedLocation | undefined): LocationDraft {
  if (location === undefined) return emptyDraft
  const { label, lat, lon } = location
  return { label, lat: String(lat), lon: String(lon) }
}

export function isSameDraft(one: LocationDraft, other: LocationDraft): boolean {
  return one.label === other.label && one.lat === other.lat && one.lon === other.lon
}

export const readLat = (text: string) => degrees(text, latMaxDeg)
export const readLon = (text: string) => degrees(text, lonMaxDeg)

/** Undefined where there is nothing to save. */
export function readPlace(draft: LocationDraft): Place | undefined {
  const lat = readLat(draft.lat)
  const lon = readLon(draft.lon)
  return lat === undefined || lon === undefined ? undefined : { lat, lon }
}

function degrees(text: string, maxDeg: number): number | undefined {
  const value = decimalNumber(text)
  return value !== undefined && Math.abs(value) <= maxDeg ? value : undefined
}
