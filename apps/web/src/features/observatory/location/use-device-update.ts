import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { SavedLocation } from '../../../lib/create-saved-location.ts'
import { deviceUpdateUrl } from './device-update-url.ts'
import { sendDeviceUpdate } from './send-device-update.ts'

/** What became of telling the service that the build names. */
export interface DeviceUpdate {
  /** Its name, such as 'hook.example'; undefined when the build names none. */
  readonly host: string | undefined
  readonly state: 'none' | 'sending' | 'sent' | 'failed'
  /** Why it failed, as a clause. */
  readonly reason: string | undefined
  readonly send: (location: SavedLocation) => void
  readonly retry: () => void
  /** Gives up on what is under way. */
  readonly forget: () => void
}

const host = deviceUpdateUrl === undefined ? undefined : new URL(deviceUpdateUrl).host

export function useDeviceUpdate(): DeviceUpdate {
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
    host,
    state: states[status],
    reason: error?.message,
    send,
    retry: () => variables && send(variables),
    forget: () => {
      abort.current?.abort()
      reset()
    },
  }
}
