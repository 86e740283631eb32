import { defaultLabel, type SavedLocation } from '../../../lib/saved-location.ts'
import type { TypedPlace } from '../../../lib/typed-place.ts'

/** A location as typed. */
export interface LocationDraft extends TypedPlace {
  readonly label: string
}

export const emptyDraft: LocationDraft = { label: defaultLabel, lat: '', lon: '' }

/** The field values for this location, or the empty ones. */
export function draftOf(location: SavedLocation | undefined): LocationDraft {
  if (location === undefined) return emptyDraft
  const { label, lat, lon } = location
  return { label, lat: String(lat), lon: String(lon) }
}

export function isSameDraft(one: LocationDraft, other: LocationDraft): boolean {
  return one.label === other.label && one.lat === other.lat && one.lon === other.lon
}
