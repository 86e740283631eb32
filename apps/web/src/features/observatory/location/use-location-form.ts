import { useEffect, useRef, useState } from 'react'
import { defaultLabel, type SavedLocation } from '../../../lib/create-saved-location.ts'
import { savedLocation, useSavedLocation } from '../../../lib/saved-location.ts'
import { readPlace, type TypedPlace } from '../../../lib/typed-place.ts'
import { useFindPlace } from '../../../lib/use-find-place.ts'

export interface Notice {
  readonly tone: 'done' | 'failed'
  readonly text: string
}

interface LocationFormOptions {
  readonly onSaved: (location: SavedLocation) => void
  readonly onCleared: () => void
}

/** What is typed, saved and found. Errors never discard what was typed. */
export function useLocationForm({ onSaved, onCleared }: LocationFormOptions) {
  const saved = useSavedLocation()
  /** The saved location that the fields were filled from. */
  const [basis, setBasis] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const [notice, setNotice] = useState<Notice>()
  const [isKept, setIsKept] = useState(true)
  const { isLocating, find, giveUp } = useFindPlace()

  const isTouched = !isSameDraft(draft, draftOf(basis))
  // Another tab has saved or cleared the location. Untouched fields follow it.
  if (saved !== basis && !isTouched) {
    setBasis(saved)
    setDraft(draftOf(saved))
  }

  const fillFrom = (location: SavedLocation | undefined) => {
    setBasis(location)
    setDraft(draftOf(location))
  }
  const keep = (label: string, place: { lat: number; lon: number }, text: string) => {
    const result = savedLocation.save({ label, ...place })
    fillFrom(result.location)
    setIsKept(result.isKept)
    setNotice({ tone: 'done', text })
    onSaved(result.location)
  }

  const latestLabel = useRef(draft.label)
  useEffect(() => {
    latestLabel.current = draft.label
  }, [draft.label])

  const place = readPlace(draft)
  return {
    draft,
    notice,
    /** False if storage refused the last save. */
    isKept,
    isLocating,
    saved,
    canSave: place !== undefined,
    /** Whether either coordinate field has text. */
    hasCoordinates: draft.lat.trim() !== '' || draft.lon.trim() !== '',
    /** Whether another tab has changed the saved location while something else is typed here. */
    isOvertaken: saved !== basis && isTouched,
    change: (changes: Partial<LocationDraft>) => {
      if ('lat' in changes || 'lon' in changes) giveUp()
      setDraft({ ...draft, ...changes })
      setNotice(undefined)
    },
    save: () => {
      if (place === undefined) return
      giveUp()
      keep(draft.label, place, 'Saved')
    },
    locate: async () => {
      setNotice(undefined)
      const found = await find()
      if (found === undefined) return
      if (found.isFound) keep(latestLabel.current, found, 'Saved current location')
      else setNotice({ tone: 'failed', text: found.reason })
    },
    clear: () => {
      giveUp()
      savedLocation.clear()
      fillFrom(undefined)
      setIsKept(true)
      setNotice({ tone: 'done', text: 'Cleared' })
      onCleared()
    },
    takeOver: () => fillFrom(saved),
  }
}

export interface LocationDraft extends TypedPlace {
  readonly label: string
}

export const emptyDraft: LocationDraft = { label: defaultLabel, lat: '', lon: '' }

export function draftOf(location: SavedLocation | undefined): LocationDraft {
  if (location === undefined) return emptyDraft
  const { label, lat, lon } = location
  return { label, lat: String(lat), lon: String(lon) }
}

export function isSameDraft(one: LocationDraft, other: LocationDraft): boolean {
  return one.label === other.label && one.lat === other.lat && one.lon === other.lon
}
