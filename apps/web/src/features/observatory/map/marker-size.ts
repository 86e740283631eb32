import { compactCount } from './compact-count.ts'
import { type MapMarker, nodesOf } from './map-marker.ts'

/** Above the 24 pixels that WCAG 2.5.8 asks of a target. */
export const markerHeightPx = 28

const nodeWidthPx = 28
const pillPaddingPx = 20
const symbolPx = 16
const gapPx = 8
const digitPx = 7.2

/** What a group's marker says: who is online and offline, or, where none is either, how many there are. */
export function shownCounts({ online, offline, other }: MapMarker) {
  const counts = [
    { status: 'online', count: online },
    { status: 'offline', count: offline },
  ].filter(({ count }) => count > 0)
  return counts.length > 0 ? counts : [{ status: 'unknown', count: other }]
}

/** How wide a marker is drawn, near enough to keep markers apart. */
export function markerWidthPx(marker: MapMarker): number {
  if (nodesOf(marker) === 1) return nodeWidthPx
  const counts = shownCounts(marker)
  const partsPx = counts.map(({ count }) => symbolPx + digitPx * compactCount(count).length)
  return (
    pillPaddingPx + partsPx.reduce((sum, widthPx) => sum + widthPx, 0) + gapPx * (counts.length - 1)
  )
}
