import { useSyncExternalStore } from 'react'
import { createSavedLocation, type SavedLocation } from './create-saved-location.ts'

export type { SavedLocation } from './create-saved-location.ts'

/** The location that the visitor has saved in this browser. */
export const savedLocation = createSavedLocation(() => window)

/** Undefined when none is saved, and in prerendered HTML, which knows no visitor. */
export function useSavedLocation(): SavedLocation | undefined {
  return useSyncExternalStore(savedLocation.subscribe, savedLocation.read, () => undefined)
}
