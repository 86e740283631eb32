import {
  deleteDevice,
  type DeviceChanges,
  type OwnDevice,
  registerDevice,
  updateDevice,
} from '@astropelago/contract/devices'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../lib/call.ts'
import type { DraftedDevice } from './device-draft.ts'
import { ownDevicesQuery } from './own-devices-query.ts'
import { queryKeys } from '../lib/query-keys.ts'

type Change = (devices: readonly OwnDevice[]) => OwnDevice[]

/** Calls that change the user's devices. They update the list on the page at once, then refetch it. */
export function useOwnDeviceChanges() {
  const client = useQueryClient()
  return useMemo(() => {
    const show = async (change: Change) => {
      // The answer to an earlier request must not undo the change on the screen.
      await client.cancelQueries(ownDevicesQuery)
      client.setQueryData(ownDevicesQuery.queryKey, (devices) => change(devices ?? []))
      void client.invalidateQueries(ownDevicesQuery)
    }
    return {
      register: async (details: DraftedDevice): Promise<OwnDevice> => {
        const device = await call(registerDevice, { body: details })
        await show((devices) => [...devices.filter(({ id }) => id !== device.id), device])
        return device
      },
      update: async (id: string, changes: DeviceChanges): Promise<OwnDevice> => {
        const changed = await call(updateDevice, { params: { id }, body: changes })
        await show((devices) => devices.map((device) => (device.id === id ? changed : device)))
        // The feed does not report changes of private devices to their page.
        void client.invalidateQueries({ queryKey: queryKeys.device(id) })
        return changed
      },
      remove: async (id: string): Promise<void> => {
        await call(deleteDevice, { params: { id } })
        await show((devices) => devices.filter((device) => device.id !== id))
      },
    }
  }, [client])
}
