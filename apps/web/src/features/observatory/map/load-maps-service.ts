import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import { mapSettings } from './map-settings.ts'
import { withRetries } from './with-retries.ts'

/** The loader gives up at once; a dropped connection deserves more. */
export async function loadMapsService(): Promise<google.maps.MapsLibrary> {
  const { key, mapId } = mapSettings
  // Heard once: later calls change nothing.
  setOptions({
    ...(key !== undefined && { key }),
    ...(mapId !== undefined && { mapIds: [mapId] }),
    v: 'weekly',
  })
  return withRetries(() => importLibrary('maps'))
}
