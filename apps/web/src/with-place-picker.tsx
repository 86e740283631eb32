import type { ComponentType } from 'react'
import { PlacePickerSource } from './devices/place-picker-source.ts'

/**
 * A page with the device form, which uses the Observatory's map to pick places. It is not in routes.tsx,
 * because the map's list of dependencies would add to every page's first load.
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
