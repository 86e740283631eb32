import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import { keySettingName, mapSettings } from './map-settings.ts'

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

const retries = 3

/** The pause before the nth retry, from 1: 2, 8 and 24 ms. */
export function retryPauseMs(n: number): number {
  return n * 2 ** n
}

/** Tries, and tries again three times after growing pauses; fails as the last try failed. */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n <= retries; n++) {
    try {
      return await attempt()
    } catch {
      // What is wrong is told by the last try, below.
      await new Promise((resolve) => {
        setTimeout(resolve, retryPauseMs(n))
      })
    }
  }
  return attempt()
}

declare global {
  interface Window {
    /** The maps service calls it by this name when it refuses the key. */
    gm_authFailure?: () => void
  }
}

/** Tells when the maps service refuses the key, as it does only after it has been loaded. */
export function onServiceRefusal(listener: (message: string) => void): () => void {
  const hear = () => listener(`The maps service has refused the key in ${keySettingName}.`)
  window.gm_authFailure = hear
  return () => {
    if (window.gm_authFailure === hear) delete window.gm_authFailure
  }
}
