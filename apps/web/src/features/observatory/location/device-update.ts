import { DeviceUpdateUrl } from '@astropelago/contract/build-settings'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as v from 'valibot'
import type { SavedLocation } from '../../../lib/saved-location.ts'

const Environment = v.object({ VITE_DEVICE_UPDATE_URL: DeviceUpdateUrl })

const deviceUpdateUrl = v.parse(Environment, import.meta.env).VITE_DEVICE_UPDATE_URL

export type DeviceUpdate = ReturnType<typeof useDeviceUpdate>

const host = deviceUpdateUrl === undefined ? '' : new URL(deviceUpdateUrl).host

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
    if (host !== '') mutate(location)
  }
  const states = { idle: 'none', pending: 'sending', success: 'sent', error: 'failed' } as const
  return {
    /** Its host, such as 'hook.example'; empty if the build configures none. */
    host,
    state: states[status],
    reason: error?.message ?? '',
    send,
    retry: () => variables && send(variables),
    reset: () => {
      abort.current?.abort()
      reset()
    },
  }
}

export const timeoutMs = 10_000
const timeoutS = timeoutMs / 1000

/** @throws Error with the reason as a clause, such as 'it answered 500', or the signal's AbortError */
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
      ? t`it took more than ${timeoutS} seconds`
      : t`the connection failed`
    throw new Error(reason, { cause })
  }
  const { ok, status } = response
  if (!ok) throw new Error(t`it answered ${status}`)
}
