import type { OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { useSearchParams } from 'react-router'
import { isCarriedBy } from './use-start-hosting.ts'

/** Used instead of an id. */
export const aNewOne = 'new'

/**
 * The chosen device and island, stored in the address so that they survive a reload and can be linked to.
 * Missing values are derived: the island that the device carries, the device that carries the island, or
 * the only device.
 */
export function useHostingPlace(devices: readonly OwnDevice[], islands: readonly OwnIsland[]) {
  const [parameters, setParameters] = useSearchParams()
  const [deviceId, islandId] = [parameters.get('device'), parameters.get('island')]
  const named = devices.find(({ id }) => id === deviceId)
  const island =
    islands.find(({ id }) => id === islandId) ??
    (islandId === null && named !== undefined
      ? islands.find((one) => isCarriedBy(named, one))
      : undefined) ??
    aNewOne
  const carrier =
    island === aNewOne ? undefined : devices.find(({ id }) => id === island.carrier?.id)
  const [only] = devices
  const known = carrier ?? (devices.length === 1 ? only : undefined)
  const device = named ?? (deviceId === aNewOne || devices.length === 0 ? aNewOne : known)
  return {
    device,
    island,
    choose: (chosen: { device?: string; island?: string }) => {
      const change = (current: URLSearchParams) => {
        for (const [name, id] of Object.entries(chosen)) current.set(name, id)
        return current
      }
      setParameters(change, { replace: true, preventScrollReset: true })
    },
  } as const
}
