import { compactCount } from './compact-count.ts'
import { type MapMarker, nodesOf } from './map-marker.ts'

/** Above the 24 pixels that WCAG 2.5.8 asks of a target. */
export const markerHeightPx = 28

const nodeWidthPx = 28
const pillPaddingPx = 20
const symbolPx = 13
const gapPx = 8
const digitPx = 7.2

/** How wide a marker is drawn, near enough to keep markers apart. */
export function markerWidthPx(marker: MapMarker): number {
  if (nodesOf(marker) === 1) return nodeWidthPx
  const parts = [marker.online, marker.offline, marker.other].filter((count) => count > 0)
  const partsPx = parts.map((count) => symbolPx + digitPx * compactCount(count).length)
  return (
    pillPaddingPx + partsPx.reduce((sum, widthPx) => sum + widthPx, 0) + gapPx * (parts.length - 1)
  )
}
