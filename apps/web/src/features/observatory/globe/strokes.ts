import { type Rgb, statusColors } from '../drawing/node-look.ts'

/** Numbers that describe a stroke: both ends, radius, soft part, kind, alpha, colour, and its detail. */
export const numbersPerStroke = 12
/** The detail is a share of a turn, or a glyph's place among `glyphs`. */
export const strokeKinds = { line: 0, disc: 1, ring: 2, share: 3, glyph: 4 } as const
/** What a share's disc is filled with, and the rest of its ring. */
export const shareColors = { ground: '#05070f', rest: statusColors.offline } as const
export const shareGroundAlpha = 0.88

/** What counts are written with. */
export const glyphs = '0123456789.kM'
/** A glyph's square, in heights of its font: no larger, since each pixel of it is shaded. */
export const glyphSquare = 1.2
export const glyphFont = '600 1px "Inter Variable", system-ui, sans-serif'

/**
 * Lines, discs and rings of one frame in CSS pixels, written anew each time into one array, which
 * both renderers draw: hundreds of them, so no object for each.
 */
export interface Strokes {
  readonly numbers: Float32Array
  readonly count: number
  clear(): void
  /** With blunt ends, so that the pieces of a curve don't overlap. */
  line(
    ax: number,
    ay: number,
    bx: number,
    by: number,
    widthPx: number,
    color: Rgb,
    alpha: number,
  ): void
  /** A disc within a soft halo. */
  disc(x: number, y: number, radiusPx: number, haloPx: number, color: Rgb, alpha: number): void
  /** `radiusPx` is that of the middle of the ring's line. */
  ring(x: number, y: number, radiusPx: number, widthPx: number, color: Rgb, alpha: number): void
  /**
   * A dark disc in a grey ring, of which a share has the colour, from its top clockwise. `radiusPx` is
   * that of the middle of the ring's line.
   */
  share(
    x: number,
    y: number,
    radiusPx: number,
    widthPx: number,
    share: number,
    color: Rgb,
    alpha: number,
  ): void
  /** One of `glyphs` by its place among them, around its middle. */
  glyph(x: number, y: number, heightPx: number, place: number, color: Rgb, alpha: number): void
}

/** Stars, orbits, marks and some 300 groups in sight stay below this; more are left out. */
const mostStrokes = 2560

export function createStrokes(): Strokes {
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
    line(ax, ay, bx, by, widthPx, color, alpha) {
      write(ax, ay, bx, by, widthPx / 2, 0, strokeKinds.line, color, alpha)
    },
    disc(x, y, radiusPx, haloPx, color, alpha) {
      write(x, y, x, y, radiusPx, haloPx, strokeKinds.disc, color, alpha)
    },
    ring(x, y, radiusPx, widthPx, color, alpha) {
      write(x, y, x, y, radiusPx, widthPx / 2, strokeKinds.ring, color, alpha)
    },
    share(x, y, radiusPx, widthPx, share, color, alpha) {
      write(x, y, x, y, radiusPx, widthPx / 2, strokeKinds.share, color, alpha, share)
    },
    glyph(x, y, heightPx, place, color, alpha) {
      write(x, y, x, y, (heightPx * glyphSquare) / 2, 0, strokeKinds.glyph, color, alpha, place)
    },
  }
}
