import { percent } from '@astropelago/contract/percent'
import { escapeHtml } from '../../http/escape-html.ts'
import { daysText, shortDay } from './status-words.ts'

const slotWidth = 10
const columnWidth = 7
const height = 40
/** What lasted some minutes has to be seen all the same. */
const leastHeight = 6
/** Where nothing is known, so that a day is there. */
const baseHeight = 2

interface Day {
  readonly day: string
  /** The part of its observed time in which it was up; null where nothing was observed. */
  readonly share: number | null
}

/**
 * A column for each day: its light is the time it was up, from below, and what it was down hangs above it. Shape
 * says it as well as colour, and words say it to who sees neither.
 */
export function drawDays(days: readonly Day[], up: 'online' | 'open'): string {
  let [whole, unknown, faults] = ['', '', '']
  for (const [index, { day, share }] of days.entries()) {
    const x = index * slotWidth + (slotWidth - columnWidth) / 2
    if (share === null) unknown += column(x, height - baseHeight, baseHeight)
    else if (share === 1) whole += column(x, 0, height)
    else {
      const least = share === 0 ? 0 : leastHeight
      const tall = Math.round(least + share * (height - leastHeight - least))
      faults += `<g><title>${shortDay(day)}: ${percent(share)} ${up}</title><path class="down" d="${column(x, 0, height - tall)}"/><path class="up" d="${column(x, height - tall, tall)}"/></g>`
    }
  }
  const label = escapeHtml(daysText(days, up))
  return `<svg class="days" role="img" aria-label="${label}" viewBox="0 0 ${days.length * slotWidth} ${height}" preserveAspectRatio="none"><path class="none" d="${unknown}"/><path class="up" d="${whole}"/>${faults}</svg>`
}

function column(x: number, y: number, tall: number): string {
  return tall === 0 ? '' : `M${x} ${y}h${columnWidth}v${tall}h-${columnWidth}z`
}
