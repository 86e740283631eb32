import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import { keySettingName, mapSettings } from './map-settings.ts'

/** Loads the maps service with retries, because its own loader gives up after the first failure. */
export async function loadMapsService(): Promise<google.maps.MapsLibrary> {
  const { key, mapId } = mapSettings
  // Only the first call has an effect.
  setOptions({
    ...(key !== undefined && { key }),
    ...(mapId !== undefined && { mapIds: [mapId] }),
    v: 'weekly',
  })
  return withRetries(() => importLibrary('maps'))
}

const retries = 3

/** The pause before the nth retry, from 1: 2, 8 and 24 ms. */
export function retryPauseMs(n: number): number {
  return n * 2 ** n
}

/**
 * Retries up to three times with growing pauses.
 * @throws the error of the last attempt
 */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n <= retries; n++) {
    try {
      return await attempt()
    } catch {
      // The last attempt, below, throws its error.
      await new Promise((resolve) => {
        setTimeout(resolve, retryPauseMs(n))
      })
    }
  }
  return attempt()
}

declare global {
  interface Window {
    /** The maps service calls this global when it refuses the key. */
    gm_authFailure?: () => void
  }
}

/** Calls the listener when the maps service refuses the key, which happens only after it has loaded. */
export function onServiceRefusal(listener: (message: string) => void): () => void {
  const hear = () => listener(`The maps service has refused the key in ${keySettingName}.`)
  window.gm_authFailure = hear
  return () => {
    if (window.gm_authFailure === hear) delete window.gm_authFailure
  }
}
