import { type NodeStyle, type Rgb, statusColors } from '../drawing/node-style.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { LandRings } from './land.ts'
import type { Projection } from './projection.ts'
import type { Region } from './region.ts'

/** Everything that a frame shows except nodes and land. The same object always, updated in place. */
export interface GlobeScene {
  widthPx: number
  heightPx: number
  pixelRatio: number
  readonly projection: Projection
  /** 0 in earth view, 1 in sky view. */
  skyShare: number
  /** How far the land has faded in since it loaded, 0 to 1. */
  landShare: number
  region: Region | undefined
  nodeStyle: NodeStyle
  readonly strokes: Strokes
}

export interface GlobeRenderer {
  setNodes(columns: NodeColumns): void
  /** Call it when these nodes changed status in the columns that were set. */
  setStatuses(columns: NodeColumns, indexes: Uint32Array): void
  /** The group of each node, from 1; 0 for a single node. Undefined if there are no groups. */
  setGroups(columns: NodeColumns, groupOf: Uint32Array | undefined): void
  setLand(rings: LandRings): void
  draw(scene: GlobeScene): void
  dispose(): void
}

/** A higher ratio is not visible. */
const greatestRatio = 2
/** More take a quarter of a second in software on two cores, so a very large globe is coarser. */
const mostPixels = 2_500_000

export function canvasPixelRatio(widthPx: number, heightPx: number, deviceRatio: number): number {
  const affordable = Math.sqrt(mostPixels / Math.max(1, widthPx * heightPx))
  return Math.min(greatestRatio, deviceRatio, affordable)
}

/** Numbers per stroke: both ends, radius, soft part, kind, alpha, colour and detail. */
export const numbersPerStroke = 12
/** The detail is a share of a turn, or a glyph's index in `glyphs`. */
export const strokeKinds = { line: 0, disc: 1, ring: 2, share: 3, glyph: 4 } as const
/** The fill of a share's disc, and the rest of its ring. */
export const shareColors = { ground: '#05070f', rest: statusColors.offline } as const
export const shareGroundAlpha = 0.88

export const glyphs = '0123456789.kM+'
/** A glyph's square in units of its font size. Small, because each of its pixels is shaded. */
export const glyphSquare = 1.2
export const glyphFont = '600 1px "Inter Variable", system-ui, sans-serif'

export type Strokes = ReturnType<typeof createStrokes>

/** Enough for stars, orbits, marks and about 300 groups in view. More are left out. */
const mostStrokes = 2560

/**
 * Strokes of one frame in CSS pixels. There are hundreds, so instead of objects they are rewritten each
 * frame into one array, which both renderers draw.
 */
export function createStrokes() {
  const numbers = new Float32Array(mostStrokes * numbersPerStroke)
  let count = 0

  const write = (
    ax: number,
    ay: number,
    bx: number,
    by: number,
    radiusPx: number,
    softPx: number,
    kind: number,
    color: Rgb,
    alpha: number,
    detail = 0,
  ) => {
    if (count === mostStrokes || alpha <= 0) return
    const at = count * numbersPerStroke
    numbers[at] = ax
    numbers[at + 1] = ay
    numbers[at + 2] = bx
    numbers[at + 3] = by
    numbers[at + 4] = radiusPx
    numbers[at + 5] = softPx
    numbers[at + 6] = kind
    numbers[at + 7] = alpha
    numbers[at + 8] = color[0]
    numbers[at + 9] = color[1]
    numbers[at + 10] = color[2]
    numbers[at + 11] = detail
    count += 1
  }

  return {
    numbers,
    get count() {
      return count
    },
    clear() {
      count = 0
    },
    /** Has flat ends, so that the pieces of a curve don't overlap. */
    line(
      ax: number,
      ay: number,
      bx: number,
      by: number,
      widthPx: number,
      color: Rgb,
      alpha: number,
    ) {
      write(ax, ay, bx, by, widthPx / 2, 0, strokeKinds.line, color, alpha)
    },
    disc(x: number, y: number, radiusPx: number, haloPx: number, color: Rgb, alpha: number) {
      write(x, y, x, y, radiusPx, haloPx, strokeKinds.disc, color, alpha)
    },
    /** `radiusPx` is measured to the middle of the ring's line. */
    ring(x: number, y: number, radiusPx: number, widthPx: number, color: Rgb, alpha: number) {
      write(x, y, x, y, radiusPx, widthPx / 2, strokeKinds.ring, color, alpha)
    },
    /** A dark disc with a grey ring. `share` of the ring has the colour, clockwise from the top. */
    share(
      x: number,
      y: number,
      radiusPx: number,
      widthPx: number,
      share: number,
      color: Rgb,
      alpha: number,
    ) {
      write(x, y, x, y, radiusPx, widthPx / 2, strokeKinds.share, color, alpha, share)
    },
    /** One of `glyphs` by its index, centred on the point. */
    glyph(x: number, y: number, heightPx: number, place: number, color: Rgb, alpha: number) {
      write(x, y, x, y, (heightPx * glyphSquare) / 2, 0, strokeKinds.glyph, color, alpha, place)
    },
  }
}
