import { type Rgb, statusColors } from '../drawing/node-look.ts'

/** Numbers per stroke: both ends, radius, soft part, kind, alpha, colour and detail. */
export const numbersPerStroke = 12
/** The detail is a share of a turn, or a glyph's index in `glyphs`. */
export const strokeKinds = { line: 0, disc: 1, ring: 2, share: 3, glyph: 4 } as const
/** The fill of a share's disc, and the rest of its ring. */
export const shareColors = { ground: '#05070f', rest: statusColors.offline } as const
export const shareGroundAlpha = 0.88

/** The characters of counts. */
export const glyphs = '0123456789.kM'
/**
 * A glyph's square in units of its font size. As small as possible, because each of its pixels is shaded.
 */
export const glyphSquare = 1.2
export const glyphFont = '600 1px "Inter Variable", system-ui, sans-serif'

/**
 * Lines, discs and rings of one frame in CSS pixels. There are hundreds, so instead of objects they are
 * rewritten each frame into one array, which both renderers draw.
 */
export interface Strokes {
  readonly numbers: Float32Array
  readonly count: number
  clear(): void
  /** Has flat ends, so that the pieces of a curve don't overlap. */
  line(
    ax: number,
    ay: number,
    bx: number,
    by: number,
    widthPx: number,
    color: Rgb,
    alpha: number,
  ): void
  /** A disc with a soft halo. */
  disc(x: number, y: number, radiusPx: number, haloPx: number, color: Rgb, alpha: number): void
  /** `radiusPx` is measured to the middle of the ring's line. */
  ring(x: number, y: number, radiusPx: number, widthPx: number, color: Rgb, alpha: number): void
  /**
   * A dark disc with a grey ring. `share` of the ring has the colour, clockwise from the top. `radiusPx` is
   * measured to the middle of the ring's line.
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
  /** One of `glyphs` by its index, centred on the point. */
  glyph(x: number, y: number, heightPx: number, place: number, color: Rgb, alpha: number): void
}

/** Enough for stars, orbits, marks and about 300 groups in view. More are left out. */
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
