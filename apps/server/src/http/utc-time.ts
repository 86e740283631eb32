import { timeText } from '@astropelago/contract/time-text'
import { markup, type Markup } from './markup.ts'

/** For readers whose time zone is unknown. */
export function utcText(ms: number): string {
  return `${timeText(ms, { timeZone: 'UTC' })} UTC`
}

export function utcHtml(ms: number): Markup {
  return markup`<time datetime="${new Date(ms).toISOString()}">${utcText(ms)}</time>`
}
