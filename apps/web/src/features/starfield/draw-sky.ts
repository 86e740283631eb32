import type { Star } from './make-stars.ts'
import type { SkyCamera } from './sky-camera.ts'
import { skyLayers } from './sky-layers.ts'
import type { StarSprites } from './star-sprites.ts'

interface SkyMoment {
  readonly stars: readonly Star[]
  readonly sprites: StarSprites
  readonly camera: Readonly<SkyCamera>
  readonly widthPx: number
  readonly heightPx: number
  /** How long the sky has moved. */
  readonly ageMs: number
  /** How far the stars have faded in, 0 to 1. */
  readonly glow: number
  /** Draws every star at its brightest, without twinkling. */
  readonly isBrightest: boolean
}

/** Draws the whole sky. The context is scaled to CSS pixels. */
export function drawSky(context: CanvasRenderingContext2D, moment: SkyMoment): void {
  const { stars, sprites, camera, widthPx, heightPx, ageMs, glow, isBrightest } = moment
  const { image, rows, pixelRatio } = sprites
  const ageS = ageMs / 1000
  context.clearRect(0, 0, widthPx, heightPx)
  for (const star of stars) {
    const layer = skyLayers[star.layer]
    const row = rows[star.layer]
    if (layer === undefined || row === undefined) continue
    const { sidePx, topPx } = row
    const shiftX = ageS * layer.driftPxPerS - camera.pointerX * layer.pointerPx
    const shiftY = -camera.scrollPx * layer.scrollShare - camera.pointerY * layer.pointerPx
    const left = around(star.x, shiftX, widthPx, sidePx)
    const top = around(star.y, shiftY, heightPx, sidePx)
    const dimmed = isBrightest
      ? 0
      : star.twinkle * (0.5 - 0.5 * Math.cos(star.phaseRad + ageS * star.twinkleRadPerS))
    context.globalAlpha = star.brightness * (1 - dimmed) * glow
    const sideInImage = sidePx * pixelRatio
    context.drawImage(
      image,
      star.tint * sideInImage,
      topPx * pixelRatio,
      sideInImage,
      sideInImage,
      left,
      top,
      sidePx,
      sidePx,
    )
  }
}

/** Wraps a position around the sky. A star jumps to the other side only when it is fully out of sight. */
function around(place: number, shiftPx: number, lengthPx: number, sidePx: number): number {
  const roundPx = lengthPx + sidePx
  const alongPx = (place * roundPx + shiftPx) % roundPx
  return (alongPx < 0 ? alongPx + roundPx : alongPx) - sidePx
}
