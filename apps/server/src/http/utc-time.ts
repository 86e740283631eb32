import { timeText } from '@astropelago/contract/time-text'
import { markup, type Markup } from './markup.ts'

/** A time for people whose time zone nobody knows. */
export function utcText(ms: number): string {
  return `${timeText(ms, { timeZone: 'UTC' })} UTC`
}

/** The same in HTML. */
export function utcHtml(ms: number): Markup {
  return markup`<time datetime="${new Date(ms).toISOString()}">${utcText(ms)}</time>`
}
