import { percent } from '@astropelago/contract/percent'
import { markup, type Markup } from '../../http/markup.ts'
import { daysText, shortDay } from './status-words.ts'

const slotWidth = 10
const columnWidth = 7
const height = 40
/** A fault of some minutes has to be visible too. */
const leastHeight = 6
/** Height of a day without data. */
const baseHeight = 2

interface Day {
  readonly day: string
  /** Share of the observed time in which it was up; null if nothing was observed. */
  readonly share: number | null
}

/**
 * Draws one column per day. The lit part, from below, is the time it was up; the time it was down hangs
 * above. Shapes differ as well as colours, and the label says it in words.
 */
export function drawDays(days: readonly Day[], up: 'online' | 'open'): Markup {
  let [whole, unknown] = ['', '']
  const faults: Markup[] = []
  for (const [index, { day, share }] of days.entries()) {
    const x = index * slotWidth + (slotWidth - columnWidth) / 2
    if (share === null) unknown += column(x, height - baseHeight, baseHeight)
    else if (share === 1) whole += column(x, 0, height)
    else {
      const least = share === 0 ? 0 : leastHeight
      const tall = Math.round(least + share * (height - leastHeight - least))
      faults.push(
        markup`<g><title>${shortDay(day)}: ${percent(share)} ${up}</title><path class="down" d="${column(x, 0, height - tall)}"/><path class="up" d="${column(x, height - tall, tall)}"/></g>`,
      )
    }
  }
  return markup`<svg class="days" role="img" aria-label="${daysText(days, up)}" viewBox="0 0 ${days.length * slotWidth} ${height}" preserveAspectRatio="none"><path class="none" d="${unknown}"/><path class="up" d="${whole}"/>${faults}</svg>`
}

function column(x: number, y: number, tall: number): string {
  return tall === 0 ? '' : `M${x} ${y}h${columnWidth}v${tall}h-${columnWidth}z`
}
