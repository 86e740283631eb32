import type { IslandKind } from '@astropelago/contract/islands'
import { chartColors } from './chart-colors.ts'

/** An island's mark, drawn once and copied in each frame. */
export interface MarkSprite {
  readonly image: OffscreenCanvas
  /** In CSS pixels. The mark is in the centre. */
  readonly sidePx: number
}

/** Finer steps make no visible difference, and would need new sprites in every frame of a zoom. */
const radiusStepPx = 0.5
const haloRadii = 2.1
const lineWidthPx = 1.5
/** Keeps the soft edge inside the image. */
const gapPx = 1

/** Caches marks until the pixel ratio changes. */
export class MarkSprites {
  readonly #sprites = new Map<string, MarkSprite>()
  #pixelRatio = 0

  read(kind: IslandKind, isOpen: boolean, radiusPx: number, pixelRatio: number): MarkSprite {
    if (pixelRatio !== this.#pixelRatio) this.#sprites.clear()
    this.#pixelRatio = pixelRatio
    const steps = Math.round(radiusPx / radiusStepPx)
    const look = `${kind} ${isOpen} ${steps}`
    let sprite = this.#sprites.get(look)
    if (sprite === undefined) {
      sprite = drawMark(kind, isOpen, steps * radiusStepPx, pixelRatio)
      this.#sprites.set(look, sprite)
    }
    return sprite
  }
}

/** Open islands are filled and glow, closed ones are rings. Each kind has its own shape. */
function drawMark(
  kind: IslandKind,
  isOpen: boolean,
  radiusPx: number,
  pixelRatio: number,
): MarkSprite {
  const pixels = Math.ceil(2 * (radiusPx * haloRadii + gapPx) * pixelRatio)
  const sidePx = pixels / pixelRatio
  const image = new OffscreenCanvas(pixels, pixels)
  const drawing = image.getContext('2d')
  if (drawing === null) throw new Error('This browser draws no 2D pictures')
  drawing.scale(pixelRatio, pixelRatio)
  drawing.translate(sidePx / 2, sidePx / 2)
  if (isOpen) {
    drawing.fillStyle = chartColors.halo
    drawing.beginPath()
    drawing.arc(0, 0, radiusPx * haloRadii, 0, 2 * Math.PI)
    drawing.fill()
  }
  drawing.beginPath()
  traceMark(drawing, kind, radiusPx)
  drawing.fillStyle = isOpen ? chartColors.island : chartColors.ground
  drawing.fill()
  drawing.strokeStyle = isOpen ? chartColors.island : chartColors.muted
  drawing.lineWidth = lineWidthPx
  drawing.stroke()
  return { image, sidePx }
}

function traceMark(
  drawing: OffscreenCanvasRenderingContext2D,
  kind: IslandKind,
  radiusPx: number,
): void {
  if (kind === 'social') {
    drawing.arc(0, 0, radiusPx, 0, 2 * Math.PI)
    return
  }
  // A square on its corner or a triangle on its base, scaled to look as large as the circle.
  const corners = kind === 'media' ? 4 : 3
  const reachPx = radiusPx * (kind === 'media' ? 1.2 : 1.35)
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (2 * Math.PI * corner) / corners - Math.PI / 2
    drawing.lineTo(reachPx * Math.cos(angle), reachPx * Math.sin(angle))
  }
  drawing.closePath()
}
