import { onTestFinished, vi } from 'vitest'

type Outcome = { readonly lat: number; readonly lon: number } | { readonly code: number }

const toJSON = () => ({})
const unknown = {
  accuracy: 12,
  altitude: null,
  altitudeAccuracy: null,
  heading: null,
  speed: null,
  toJSON,
}
const codes = { message: '', PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 } as const

/**
 * Makes the browser report this location, or fail with this code. If slow, the result comes at the page's
 * timeout.
 */
export function standAt({ isSlow = false, ...outcome }: Outcome & { readonly isSlow?: boolean }) {
  const ask = vi.spyOn(Geolocation.prototype, 'getCurrentPosition')
  ask.mockImplementation((found, failed, options) => {
    const end = () => {
      if ('code' in outcome) failed?.({ ...codes, code: outcome.code })
      else {
        const coords = { ...unknown, latitude: outcome.lat, longitude: outcome.lon }
        found({ coords, timestamp: Date.now(), toJSON })
      }
    }
    if (isSlow) setTimeout(end, options?.timeout)
    else end()
  })
  onTestFinished(() => ask.mockRestore())
  return ask
}
