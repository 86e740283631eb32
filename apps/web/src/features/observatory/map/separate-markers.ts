import { type MapMarker, nodesOf } from './map-marker.ts'
import { markerHeightPx, markerWidthPx } from './marker-size.ts'

export const mostMarkers = 500

/** Free space beside a marker, and above and below it. */
const gapXPx = 6
const gapYPx = 12
/** Each pass leaves far fewer overlaps; what is left after these is a pixel or two. */
const passes = 4

/**
 * Joins markers that would cover one another at this size of the world, the smaller into the larger,
 * and the smallest beyond the most that a screen bears into their neighbours. Nothing is lost: the
 * counts add up to what they were.
 */
export function separateMarkers(markers: readonly MapMarker[], worldPx: number): MapMarker[] {
  let separate = [...markers]
  for (let pass = 0; pass < passes; pass++) {
    const before = separate.length
    separate = joinOverlapping(separate, worldPx)
    if (separate.length === before) break
  }
  return separate
}

interface Placed {
  marker: MapMarker
  widthPx: number
}

function joinOverlapping(markers: readonly MapMarker[], worldPx: number): MapMarker[] {
  const placed: Placed[] = []
  // A stable sort: of two as large the one in the earlier cell stays.
  for (const marker of markers.toSorted((one, other) => nodesOf(other) - nodesOf(one))) {
    const widthPx = markerWidthPx(marker)
    const isFull = placed.length >= mostMarkers
    let nearest: Placed | undefined
    let nearestPx2 = Infinity
    // The least work first: most of the others lie above or below.
    for (const other of placed) {
      const yPx = Math.abs(other.marker.y - marker.y) * worldPx
      if (!isFull && yPx >= markerHeightPx + gapYPx) continue
      const xPx = Math.abs(other.marker.x - marker.x) * worldPx
      if (!isFull && xPx >= (widthPx + other.widthPx) / 2 + gapXPx) continue
      const px2 = xPx * xPx + yPx * yPx
      if (px2 < nearestPx2) {
        nearest = other
        nearestPx2 = px2
      }
    }
    if (nearest === undefined) {
      placed.push({ marker, widthPx })
    } else {
      nearest.marker = joined(nearest.marker, marker)
      nearest.widthPx = markerWidthPx(nearest.marker)
    }
  }
  return placed.map(({ marker }) => marker)
}

function joined(larger: MapMarker, smaller: MapMarker): MapMarker {
  return {
    x: larger.x,
    y: larger.y,
    online: larger.online + smaller.online,
    offline: larger.offline + smaller.offline,
    other: larger.other + smaller.other,
    firstIndex: Math.min(larger.firstIndex, smaller.firstIndex),
    cells: [...larger.cells, ...smaller.cells],
  }
}
