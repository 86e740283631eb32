import type { PublicDevice } from '@astropelago/contract/devices'
import { seededRandom } from '../../apps/web/src/features/starfield/seeded-random.ts'

/** Latitude, longitude and weight: roughly where the people of such a network would live. */
const cities: readonly (readonly [latDeg: number, lonDeg: number, weight: number])[] = [
  [52.52, 13.4, 9],
  [48.86, 2.35, 7],
  [51.51, -0.13, 8],
  [52.37, 4.9, 5],
  [48.21, 16.37, 4],
  [47.38, 8.54, 3],
  [45.46, 9.19, 4],
  [40.42, -3.7, 4],
  [59.33, 18.07, 3],
  [60.17, 24.94, 2],
  [55.68, 12.57, 2],
  [52.23, 21.01, 3],
  [50.08, 14.44, 2],
  [40.71, -74.01, 8],
  [42.36, -71.06, 3],
  [43.65, -79.38, 3],
  [41.88, -87.63, 3],
  [37.77, -122.42, 7],
  [47.61, -122.33, 4],
  [34.05, -118.24, 3],
  [30.27, -97.74, 2],
  [19.43, -99.13, 3],
  [4.71, -74.07, 2],
  [-23.55, -46.63, 5],
  [-34.6, -58.38, 3],
  [-33.45, -70.67, 2],
  [6.52, 3.38, 2],
  [-1.29, 36.82, 2],
  [-33.92, 18.42, 2],
  [30.04, 31.24, 2],
  [41.01, 28.98, 3],
  [25.2, 55.27, 1],
  [19.08, 72.88, 4],
  [12.97, 77.59, 4],
  [1.35, 103.82, 3],
  [-6.21, 106.85, 2],
  [22.32, 114.17, 2],
  [25.03, 121.57, 3],
  [35.68, 139.69, 7],
  [37.57, 126.98, 3],
  [-33.87, 151.21, 4],
  [-37.81, 144.96, 3],
  [-31.95, 115.86, 1],
  [-36.85, 174.76, 1],
]

const places = ['Harbour', 'Lighthouse', 'Attic', 'Cellar', 'Garden', 'Roof', 'Studio', 'Orbit']
const things = ['Pi', 'Relay', 'Beacon', 'Library', 'Buoy', 'Antenna', 'Radio', 'Island']

const spreadDeg = 1.6
const scatteredShare = 0.12
const onlineShare = 0.55
const offlineShare = 0.35
const linkedShare = 0.4

/** Devices as in a real network: most near cities, some anywhere. Always the same for a seed. */
export function clusteredDevices(count: number, seed = 1): PublicDevice[] {
  const random = seededRandom(seed)
  const crowd = cities.flatMap(([lat, lon, weight]) =>
    Array.from({ length: weight }, () => ({ lat, lon })),
  )
  const place = () => {
    const city = crowd[Math.floor(random() * crowd.length)]
    if (city === undefined || random() < scatteredShare) {
      // Evenly distributed over the sphere, without crowding at the poles.
      return { lat: degrees(Math.asin(random() * 2 - 1)), lon: random() * 360 - 180 }
    }
    const lat = city.lat + bell(random) * spreadDeg
    return { lat, lon: wrapped(city.lon + (bell(random) * spreadDeg) / Math.cos(radians(lat))) }
  }
  return Array.from({ length: count }, (_, index) => {
    const thing = `${oneOf(places, random)} ${oneOf(things, random)} ${index + 1}`
    return {
      id: uuid(random),
      label: thing,
      ...place(),
      status: status(random()),
      link: random() < linkedShare ? `https://island-${index + 1}.example/` : null,
    }
  })
}

function status(share: number): PublicDevice['status'] {
  if (share < onlineShare) return 'online'
  return share < onlineShare + offlineShare ? 'offline' : 'unknown'
}

function oneOf(words: readonly string[], random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? ''
}

/** Approximately a normal distribution with a deviation of 1: the sum of three uniform numbers. */
function bell(random: () => number): number {
  return (random() + random() + random() - 1.5) * 2
}

function uuid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

function wrapped(lonDeg: number): number {
  return ((((lonDeg + 180) % 360) + 360) % 360) - 180
}

const degrees = (radiansValue: number) => (radiansValue * 180) / Math.PI
const radians = (degreesValue: number) => (degreesValue * Math.PI) / 180
