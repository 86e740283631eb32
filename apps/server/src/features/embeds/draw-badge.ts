import { markup, type Markup } from '../../http/markup.ts'

interface Badge {
  /** The left part: what the badge is about. */
  readonly label: string
  /** The right part: what it says. */
  readonly text: string
  /** White text on it has a contrast of at least 4.5. */
  readonly colour: string
}

const heightPx = 20
const fontPx = 11
const paddingPx = 6
const labelColour = '#1e293b'

/** Widths of Verdana's characters from the space on, in thousandths of their size. */
const widths = [
  352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632,
  575, 775, 751, 421, 455, 693, 557, 843, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685,
  615, 685, 454, 454, 454, 818, 636, 636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592,
  274, 973, 633, 607, 623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,
]
/** Width of all other characters: Asian scripts and emoji are about this wide. */
const otherWidth = 1000
const firstCode = 32

/** Draws a self-contained image: flat, without a script, a style or anything to load. */
export function drawBadge({ label, text, colour }: Badge): string {
  const [left, right] = [boxPx(label), boxPx(text)]
  const width = left + right
  const name = `${label}: ${text}`
  return String(
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${heightPx}" viewBox="0 0 ${width} ${heightPx}" role="img" aria-label="${name}"><title>${name}</title><path fill="${labelColour}" d="M0 0h${left}v${heightPx}H0z"/><path fill="${colour}" d="M${left} 0h${right}v${heightPx}H${left}z"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="${fontPx}">${written(label, paddingPx)}${written(text, left + paddingPx)}</g></svg>\n`,
  )
}

/** Stretched to the computed width, whatever font is available. */
function written(text: string, x: number): Markup {
  return markup`<text x="${x}" y="14" textLength="${widthPx(text)}" lengthAdjust="spacingAndGlyphs">${text}</text>`
}

function boxPx(text: string): number {
  return widthPx(text) + 2 * paddingPx
}

function widthPx(text: string): number {
  let thousandths = 0
  for (const letter of text.replaceAll(/\p{M}/gu, '')) {
    thousandths += widths[(letter.codePointAt(0) ?? 0) - firstCode] ?? otherWidth
  }
  return Math.ceil((thousandths * fontPx) / 1000)
}
