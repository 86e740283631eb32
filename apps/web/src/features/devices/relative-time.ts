const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Younger than this is 'just now': a list is never fresher than its last request. */
const nowMs = 5 * secondMs

/**
 * How long ago a time was, in its largest whole unit: '3 minutes ago'. A time in the future counts
 * as now, since the clocks of server and browser need not agree.
 */
export function relativeTime(thenMs: number, clockMs: number): string {
  const agoMs = clockMs - thenMs
  if (agoMs < nowMs) return 'just now'
  if (agoMs < minuteMs) return relative.format(-Math.floor(agoMs / secondMs), 'second')
  if (agoMs < hourMs) return relative.format(-Math.floor(agoMs / minuteMs), 'minute')
  if (agoMs < dayMs) return relative.format(-Math.floor(agoMs / hourMs), 'hour')
  return relative.format(-Math.floor(agoMs / dayMs), 'day')
}
