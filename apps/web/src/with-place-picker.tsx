import type { ComponentType } from 'react'
import { PlacePickerSource } from './features/devices/place-picker-source.ts'

/**
 * A page with the form of a device, which picks places on the Observatory's map. Beside routes.tsx, and
 * not in it, since the list of what that map needs would weigh on every page's first load.
 */
export function withPlacePicker(Page: ComponentType): ComponentType {
  return function PageWithPlacePicker() {
    return (
      <PlacePickerSource value={fetchPlacePicker}>
        <Page />
      </PlacePickerSource>
    )
  }
}

async function fetchPlacePicker() {
  return (await import('./features/observatory/place-picker/place-picker.tsx')).PlacePicker
}
