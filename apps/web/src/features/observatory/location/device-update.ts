import { DeviceUpdateUrl } from '@astropelago/contract/build-settings'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as v from 'valibot'
import type { SavedLocation } from '../../../lib/create-saved-location.ts'

const Environment = v.object({ VITE_DEVICE_UPDATE_URL: DeviceUpdateUrl })

const deviceUpdateUrl = v.parse(Environment, import.meta.env).VITE_DEVICE_UPDATE_URL

export type DeviceUpdate = ReturnType<typeof useDeviceUpdate>

const host = deviceUpdateUrl === undefined ? undefined : new URL(deviceUpdateUrl).host

/** Sends the location to the service that the build configures, if any. */
export function useDeviceUpdate() {
  const abort = useRef<AbortController>(undefined)
  const { mutate, reset, status, error, variables } = useMutation({
    mutationFn: async (location: SavedLocation) => {
      // An older place must not arrive after a newer one.
      abort.current?.abort()
      abort.current = new AbortController()
      if (deviceUpdateUrl === undefined) return
      await sendDeviceUpdate(deviceUpdateUrl, location, abort.current.signal)
    },
  })
  useEffect(() => () => abort.current?.abort(), [])

  const send = (location: SavedLocation) => {
    if (host !== undefined) mutate(location)
  }
  const states = { idle: 'none', pending: 'sending', success: 'sent', error: 'failed' } as const
  return {
    /** Its host, such as 'hook.example'; undefined if the build configures none. */
    host,
    state: states[status],
    /** Why it failed, as a clause. */
    reason: error?.message,
    send,
    retry: () => variables && send(variables),
    /** Aborts a running request and resets the state. */
    reset: () => {
      abort.current?.abort()
      reset()
    },
  }
}

export const timeoutMs = 10_000

/**
 * Sends the device's location to another service.
 * @throws Error with the reason as a clause, such as 'it answered 500'
 * @throws AbortError if the signal aborts
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
      // Other services must not receive the session cookie.
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
