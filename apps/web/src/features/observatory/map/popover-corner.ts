import type { MapPixel, MapSize } from './map-camera.ts'

const marginPx = 8
/** Clear of the marker that it belongs to. */
const gapPx = 20

/** Beside a place, above or below it where there is more room, and within the map. */
export function popoverCorner(
  at: MapPixel,
  popover: { readonly widthPx: number; readonly heightPx: number },
  map: MapSize,
): MapPixel {
  const isInUpperHalf = at.yPx < map.heightPx / 2
  const topPx = isInUpperHalf ? at.yPx + gapPx : at.yPx - gapPx - popover.heightPx
  return {
    xPx: within(at.xPx - popover.widthPx / 2, map.widthPx - popover.widthPx),
    yPx: within(topPx, map.heightPx - popover.heightPx),
  }
}

function within(px: number, mostPx: number): number {
  return Math.round(Math.max(marginPx, Math.min(mostPx - marginPx, px)))
}
