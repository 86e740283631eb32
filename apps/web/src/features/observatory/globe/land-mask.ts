import type { LandRings } from './land-rings.ts'

/**
 * Land in white on black, longitude to the right from -180, latitude downwards from 90. 2,048 wide
 * it takes at most 8 ms of the main thread to draw and upload, once: a worker costs more to start.
 * @throws Error where the browser draws no 2D pictures off the screen
 */
export function drawLandMask(rings: LandRings, widthPx: number): OffscreenCanvas {
  const image = new OffscreenCanvas(widthPx, widthPx / 2)
  const context = image.getContext('2d', { alpha: false })
  if (context === null) throw new Error('This browser draws no 2D pictures')
  const scale = widthPx / 360
  context.fillStyle = '#fff'
  context.setTransform(scale, 0, 0, -scale, widthPx / 2, widthPx / 4)
  context.beginPath()
  for (const ring of rings) {
    // What goes on beyond the antimeridian comes in again on the other side.
    for (const shiftDeg of [-360, 0, 360]) {
      for (let i = 0; i < ring.length; i += 2) {
        const lonDeg = (ring[i] ?? 0) + shiftDeg
        const latDeg = ring[i + 1] ?? 0
        if (i === 0) context.moveTo(lonDeg, latDeg)
        else context.lineTo(lonDeg, latDeg)
      }
      context.closePath()
    }
  }
  context.fill('evenodd')
  return image
}
