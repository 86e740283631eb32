import { isoTime } from '../iso-time.ts'
import { timeText } from '@astropelago/contract/time-text'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // XML 1.0 does not allow these characters.
  '\uFFFE': '\uFFFD',
  '\uFFFF': '\uFFFD',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'\uFFFE\uFFFF]/g, (sign) => entities[sign] ?? sign)
}

/** Markup that can stand in a page. Only `markup` and `trusted` make it, so text is never taken for it. */
export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Text is escaped, markup stands as it is, and null is nothing. */
type Piece = Markup | string | number | null | readonly (Markup | null)[]

/** A template tag for HTML, SVG and XML that escapes all text. Quote attributes. */
export function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const [first = '', ...others] = parts
  return new Markup(first + others.map((part, at) => write(pieces[at] ?? null) + part).join(''))
}

export function trusted(text: string): Markup {
  return new Markup(text)
}

function write(piece: Piece): string {
  if (piece === null) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number' || piece instanceof Markup) return piece.toString()
  return piece.map(write).join('')
}

/** For readers whose time zone is unknown. */
export function utcText(ms: number): string {
  return `${timeText(ms, { timeZone: 'UTC' })} UTC`
}

export function utcHtml(ms: number): Markup {
  return markup`<time datetime="${isoTime(ms)}">${utcText(ms)}</time>`
}
