import { wholeTimeText } from '@astropelago/contract/time-text'
import { relativeTime } from './relative-time.ts'

interface TimeAgoProps {
  /** ISO 8601. */
  at: string
  nowMs: number
}

/** A time in relation to now. The full time shows on hover. */
export function TimeAgo({ at, nowMs }: TimeAgoProps) {
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={wholeTimeText(atMs)} className="whitespace-nowrap" data-numeric>
      {relativeTime(atMs, nowMs)}
    </time>
  )
}
