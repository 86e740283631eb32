import type { OwnDevice } from '@astropelago/contract/devices'

const waitingMs = 1000
const onlineMs = 10_000

/** How often the list is asked for: not at all until a device is selected, each second while it waits. */
export function watchInterval(
  devices: readonly OwnDevice[] | undefined,
  selectedId: string | null,
): number | false {
  const device = devices?.find(({ id }) => id === selectedId)
  if (device === undefined) return false
  return device.status === 'online' ? onlineMs : waitingMs
}
