import type { SavedLocation } from '../../../lib/create-saved-location.ts'

export const timeoutMs = 10_000

/**
 * Tells another service where the device is. Rejects with the reason as a clause, such as
 * 'it answered 500', or with an AbortError.
 */
export async function sendDeviceUpdate(
  url: string,
  { id, label, lat, lon }: SavedLocation,
  signal: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      // The session is nobody else's business.
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, label, lat, lon, status: 'online' }),
      signal: AbortSignal.any([signal, timeout]),
    })
  } catch (cause) {
    if (signal.aborted) throw cause
    const reason = timeout.aborted
      ? `it took more than ${timeoutMs / 1000} seconds`
      : 'the connection failed'
    throw new Error(reason, { cause })
  }
  if (!response.ok) throw new Error(`it answered ${response.status}`)
}
