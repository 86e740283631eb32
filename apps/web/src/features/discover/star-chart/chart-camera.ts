import type { ScreenPoint } from '../../../lib/pointers.ts'

/** The visible part of the chart: its centre, and the scale in pixels per unit. */
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
/** With a larger scale, a few islands would lie at the edges of an empty chart. */
const greatestFitScale = 1.6
const marginPx = 56

/** Fits all islands into the picture, with room for their names. */
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

/** Zooms by a factor and keeps the point under the pointer in place. */
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

export function panBy(camera: ChartCamera, { xPx, yPx }: ScreenPoint): ChartCamera {
  return { ...camera, x: camera.x - xPx / camera.scale, y: camera.y - yPx / camera.scale }
}

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

/** Pans by the smallest distance that brings a point well inside the picture. */
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

/** Keeps a margin at both ends, or centres if there is no room for two margins. */
function within(px: number, lengthPx: number): number {
  const leastPx = Math.min(marginPx, lengthPx / 2)
  return Math.min(Math.max(px, leastPx), lengthPx - leastPx)
}
