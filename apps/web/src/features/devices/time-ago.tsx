import { relativeTime } from './relative-time.ts'

const fullTime = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'medium' })

interface TimeAgoProps {
  /** ISO 8601. */
  at: string
  nowMs: number
}

/** A time as how long ago it was; the full time shows on hover. */
export function TimeAgo({ at, nowMs }: TimeAgoProps) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={fullTime.format(date)} className="whitespace-nowrap" data-numeric>
      {relativeTime(date.getTime(), nowMs)}
    </time>
  )
}
