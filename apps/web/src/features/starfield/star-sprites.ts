import { type SkyLayer, skyLayers, starTints } from './make-stars.ts'

/** Every kind of star, drawn once, so that a frame only copies. Each layer is a row, each tint a column. */
export interface StarSprites {
  readonly image: OffscreenCanvas
  /** For each layer, the side of a cell and the top of its row, in CSS pixels. */
  readonly rows: readonly { readonly sidePx: number; readonly topPx: number }[]
  readonly pixelRatio: number
}

/** Stars with at least this halo radius have four faint rays. */
const leastRayedPx = 10
/** Keeps a star's soft edge out of its neighbour's cell. */
const gapPx = 2

export function drawStarSprites(pixelRatio: number): StarSprites {
  let topPx = 0
  const rows = skyLayers.map(({ haloRadiusPx }) => {
    const row = { sidePx: 2 * (haloRadiusPx + gapPx), topPx }
    topPx += row.sidePx
    return row
  })
  const widest = Math.max(...rows.map(({ sidePx }) => sidePx))
  const image = new OffscreenCanvas(
    Math.ceil(widest * starTints.length * pixelRatio),
    Math.ceil(topPx * pixelRatio),
  )
  const context = image.getContext('2d')
  if (context === null) throw new Error('This browser draws no 2D pictures')
  context.scale(pixelRatio, pixelRatio)
  for (const [index, layer] of skyLayers.entries()) {
    const { sidePx, topPx: rowTopPx } = rows[index] ?? { sidePx: 0, topPx: 0 }
    for (const [column, tint] of starTints.entries()) {
      context.save()
      context.translate((column + 0.5) * sidePx, rowTopPx + sidePx / 2)
      drawStar(context, layer, tint)
      context.restore()
    }
  }
  return { image, rows, pixelRatio }
}

function drawStar(
  context: OffscreenCanvasRenderingContext2D,
  { coreRadiusPx, haloRadiusPx }: SkyLayer,
  [red, green, blue]: readonly [number, number, number],
): void {
  const tinted = (alpha: number) => `rgb(${red} ${green} ${blue} / ${alpha})`

  const halo = context.createRadialGradient(0, 0, 0, 0, 0, haloRadiusPx)
  halo.addColorStop(0, tinted(0.24))
  halo.addColorStop(0.25, tinted(0.09))
  halo.addColorStop(0.6, tinted(0.025))
  halo.addColorStop(1, tinted(0))
  context.fillStyle = halo
  context.fillRect(-haloRadiusPx, -haloRadiusPx, 2 * haloRadiusPx, 2 * haloRadiusPx)

  if (haloRadiusPx >= leastRayedPx) drawRays(context, haloRadiusPx * 0.6, tinted)

  // White in the middle, tinted at the rim.
  const core = context.createRadialGradient(0, 0, 0, 0, 0, coreRadiusPx * 1.5)
  core.addColorStop(0, 'rgb(255 255 255)')
  core.addColorStop(0.45, tinted(0.95))
  core.addColorStop(1, tinted(0))
  context.fillStyle = core
  context.beginPath()
  context.arc(0, 0, coreRadiusPx * 1.5, 0, 2 * Math.PI)
  context.fill()
}

function drawRays(
  context: OffscreenCanvasRenderingContext2D,
  lengthPx: number,
  tinted: (alpha: number) => string,
): void {
  const fade = context.createRadialGradient(0, 0, 0, 0, 0, lengthPx)
  fade.addColorStop(0, tinted(0.45))
  fade.addColorStop(1, tinted(0))
  context.fillStyle = fade
  const thicknessPx = 0.8
  context.fillRect(-lengthPx, -thicknessPx / 2, 2 * lengthPx, thicknessPx)
  context.fillRect(-thicknessPx / 2, -lengthPx, thicknessPx, 2 * lengthPx)
}
