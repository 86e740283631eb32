import type { PublicDevice } from '@astropelago/contract/devices'

let made = 0

function device(
  label: string,
  [lat, lon]: readonly [latDeg: number, lonDeg: number],
  status: PublicDevice['status'],
  link: string | null = null,
): PublicDevice {
  made += 1
  const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
  return { id, label, lat, lon, status, link }
}

/** Devices at known places on the map: alone, near each other, and at the same spot. */
export const mapDevices = {
  linked: device('Lighthouse', [52.5, 13.4], 'online', 'https://lighthouse.example/a'),
  longLabel: device('Harbour Island Radio', [-33.9, 151.2], 'offline'),
  unheard: device('Quiet Buoy', [-40, -60], 'unknown'),
  nearOne: device('Prairie North', [40.6, -100], 'online'),
  nearOther: device('Prairie South', [40, -100], 'offline'),
  stacked: ['Stack One', 'Stack Two', 'Stack Three'].map((label) =>
    device(label, [10, 20], 'online'),
  ),
} as const

export const mapDeviceList: readonly PublicDevice[] = Object.values(mapDevices).flat()
