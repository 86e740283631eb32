import type { MapPixel } from './map-camera.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

/** What lies off to the side counts so much more than what lies ahead. */
const sidewaysWeight = 2

/** The next marker in a direction: the nearest one that lies more ahead than to the side. */
export function nextMarker(
  places: readonly MapPixel[],
  from: MapPixel,
  direction: Direction,
): number | undefined {
  let best: number | undefined
  let bestCost = Infinity
  for (const [index, place] of places.entries()) {
    const xPx = place.xPx - from.xPx
    const yPx = place.yPx - from.yPx
    const isAcross = direction === 'left' || direction === 'right'
    const aheadPx = (isAcross ? xPx : yPx) * (direction === 'left' || direction === 'up' ? -1 : 1)
    const asidePx = Math.abs(isAcross ? yPx : xPx)
    if (aheadPx <= 0 || asidePx > aheadPx) continue
    const cost = aheadPx + asidePx * sidewaysWeight
    if (cost < bestCost) {
      best = index
      bestCost = cost
    }
  }
  return best
}
