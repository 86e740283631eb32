import { wholeTimeText } from '@astropelago/contract/time-text'
import { t } from '@lingui/core/macro'
import { language } from '../language/language.ts'

/** The full time shows on hover. */
export function TimeAgo({ at, nowMs }: { at: string; nowMs: number }) {
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={wholeTimeText(atMs)} className="whitespace-nowrap" data-numeric>
      {relativeTime(atMs, nowMs)}
    </time>
  )
}

const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' })

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Anything younger is 'just now', because a list is never fresher than its last request. */
const nowMs = 5 * secondMs

/** '3 minutes ago'. A future time counts as now, because clocks may differ. */
export function relativeTime(thenMs: number, clockMs: number): string {
  const agoMs = clockMs - thenMs
  if (agoMs < nowMs) return t`just now`
  if (agoMs < minuteMs) return relative.format(-Math.floor(agoMs / secondMs), 'second')
  if (agoMs < hourMs) return relative.format(-Math.floor(agoMs / minuteMs), 'minute')
  if (agoMs < dayMs) return relative.format(-Math.floor(agoMs / hourMs), 'hour')
  return relative.format(-Math.floor(agoMs / dayMs), 'day')
}
