import type { ScreenPoint } from '../../../lib/pointers.ts'

/** What of the chart is seen: the place in its middle, and how many pixels a unit has. */
export interface ChartCamera {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

export const leastScale = 0.15
export const greatestScale = 4
/** Nearer than this a few islands would lie at the edges of an empty chart. */
const greatestFitScale = 1.6
const marginPx = 56

/** Shows all islands, with room for their names. */
export function fitCamera(positions: Float32Array, { widthPx, heightPx }: Size): ChartCamera {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at < positions.length; at += 2) {
    const x = positions[at] ?? 0
    const y = positions[at + 1] ?? 0
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (left > right) return { x: 0, y: 0, scale: 1 }
  const scale = Math.min(
    (widthPx - 2 * marginPx) / Math.max(1, right - left),
    (heightPx - 2 * marginPx) / Math.max(1, bottom - top),
    greatestFitScale,
  )
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    scale: Math.max(leastScale, scale),
  }
}

/** Zooms by a factor; what lies under the point stays there. */
export function zoomAt(
  camera: ChartCamera,
  factor: number,
  point: ScreenPoint,
  size: Size,
): ChartCamera {
  const scale = Math.min(greatestScale, Math.max(leastScale, camera.scale * factor))
  const fromMiddleX = point.xPx - size.widthPx / 2
  const fromMiddleY = point.yPx - size.heightPx / 2
  return {
    x: camera.x + fromMiddleX / camera.scale - fromMiddleX / scale,
    y: camera.y + fromMiddleY / camera.scale - fromMiddleY / scale,
    scale,
  }
}

/** Moves the chart along with a finger. */
export function panBy(camera: ChartCamera, { xPx, yPx }: ScreenPoint): ChartCamera {
  return { ...camera, x: camera.x - xPx / camera.scale, y: camera.y - yPx / camera.scale }
}

/** Where a place of the chart is in the picture. */
export function toScreen(
  { x, y, scale }: ChartCamera,
  size: Size,
  placeX: number,
  placeY: number,
): ScreenPoint {
  return {
    xPx: (placeX - x) * scale + size.widthPx / 2,
    yPx: (placeY - y) * scale + size.heightPx / 2,
  }
}

/** Moves no more than it takes to have a place well inside the picture. */
export function panInto(
  camera: ChartCamera,
  size: Size,
  placeX: number,
  placeY: number,
): ChartCamera {
  const { xPx, yPx } = toScreen(camera, size, placeX, placeY)
  return panBy(camera, {
    xPx: within(xPx, size.widthPx) - xPx,
    yPx: within(yPx, size.heightPx) - yPx,
  })
}

/** The nearest place that has a margin to both ends; the middle, where there is no room for two. */
function within(px: number, lengthPx: number): number {
  const leastPx = Math.min(marginPx, lengthPx / 2)
  return Math.min(Math.max(px, leastPx), lengthPx - leastPx)
}
