import type { OwnDevice } from '@astropelago/contract/devices'

const waitingMs = 1000
const onlineMs = 10_000

/**
 * The polling interval of the device list: no polling until a device is selected, every second while it is
 * awaited.
 */
export function watchInterval(
  devices: readonly OwnDevice[] | undefined,
  selectedId: string | null,
): number | false {
  const device = devices?.find(({ id }) => id === selectedId)
  if (device === undefined) return false
  return device.status === 'online' ? onlineMs : waitingMs
}
