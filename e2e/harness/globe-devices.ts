import type { PublicDevice } from '@astropelago/contract/devices'

let made = 0

function device(details: Partial<PublicDevice> & Pick<PublicDevice, 'label' | 'lat' | 'lon'>) {
  made += 1
  const tail = String(made).padStart(12, '0')
  const id = `00000000-0000-4000-8000-${tail}`
  return { id, status: 'online' as const, link: null, ...details }
}

/**
 * Places of nodes of each kind. They are at least 10 degrees apart, and all but one are visible at the
 * start.
 */
export const globePlaces = {
  /** One node with a link, at the centre of the picture at the start. */
  linked: { latDeg: 24, lonDeg: 12 },
  /** One node with a link, behind the globe, exactly under `linked`. */
  behind: { latDeg: -24, lonDeg: -168 },
  /** One node without a link. */
  plain: { latDeg: 41, lonDeg: -21 },
  /** Three nodes, the first with a link. */
  few: { latDeg: 10, lonDeg: 40 },
  /** Sixty nodes without links. */
  crowd: { latDeg: -12, lonDeg: -8 },
  /** No node within 15 degrees. */
  empty: { latDeg: 8, lonDeg: -24 },
} as const

export const islandLink = 'https://harbour.example/island'

const at = ({ latDeg, lonDeg }: { readonly latDeg: number; readonly lonDeg: number }) => ({
  lat: latDeg,
  lon: lonDeg,
})

/** The devices at these places. */
export const globeDevices: readonly PublicDevice[] = [
  device({ label: 'Harbour Pi', ...at(globePlaces.linked), link: islandLink }),
  device({ label: 'Antipode', ...at(globePlaces.behind), link: 'https://antipode.example/' }),
  device({ label: 'Weather buoy', ...at(globePlaces.plain), status: 'offline' }),
  device({ label: 'Cellar relay', ...at(globePlaces.few), link: 'https://cellar.example/' }),
  device({ label: 'Attic relay', ...at(globePlaces.few), status: 'offline' }),
  device({ label: 'Roof relay', ...at(globePlaces.few), status: 'unknown' }),
  ...Array.from({ length: 60 }, (_, index) =>
    device({ label: `Fleet ${index + 1}`, ...at(globePlaces.crowd) }),
  ),
]
