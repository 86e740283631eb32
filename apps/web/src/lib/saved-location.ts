import { useSyncExternalStore } from 'react'
import { createSavedLocation, type SavedLocation } from './create-saved-location.ts'

export type { SavedLocation } from './create-saved-location.ts'

/** The location that the visitor saved in this browser. */
export const savedLocation = createSavedLocation(() => window)

/** Undefined if none is saved, and in prerendered HTML, which is the same for all visitors. */
export function useSavedLocation(): SavedLocation | undefined {
  return useSyncExternalStore(savedLocation.subscribe, savedLocation.read, () => undefined)
}
