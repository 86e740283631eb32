import type { Rgb } from '../drawing/node-look.ts'

/** Numbers that describe a stroke: both ends, radius, soft part, kind, alpha, colour, and its detail. */
export const numbersPerStroke = 12
/** The detail is an arc's share of a turn, and a glyph's place among `glyphs`. */
export const strokeKinds = { line: 0, disc: 1, ring: 2, arc: 3, glyph: 4 } as const

/** What counts are written with. */
export const glyphs = '0123456789.kM'
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
  /** A part of a ring, from its top clockwise. */
  arc(
    x: number,
    y: number,
    radiusPx: number,
    widthPx: number,
    share: number,
    color: Rgb,
    alpha: number,
  ): void
  /** One of `glyphs`, around its middle. */
  glyph(x: number, y: number, heightPx: number, glyph: string, color: Rgb, alpha: number): void
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
    arc(x, y, radiusPx, widthPx, share, color, alpha) {
      write(x, y, x, y, radiusPx, widthPx / 2, strokeKinds.arc, color, alpha, share)
    },
    glyph(x, y, heightPx, glyph, color, alpha) {
      write(x, y, x, y, heightPx, 0, strokeKinds.glyph, color, alpha, glyphs.indexOf(glyph))
    },
  }
}
