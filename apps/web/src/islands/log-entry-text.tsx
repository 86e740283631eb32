import type { LogEntry } from '@astropelago/contract/island-log'
import CalendarClock from 'virtual:icon/calendar-clock'
import { LinkedText } from '../ui/linked-text.tsx'
import { LocalTime } from '../ui/local-time.tsx'

interface LogEntryTextProps {
  entry: Pick<LogEntry, 'text' | 'eventAt'>
  /** Shows only the first lines, for lists that link to the full text. */
  isExcerpt?: boolean
}

/** The text of a log entry, and the time of the event it announces. */
export function LogEntryText({ entry: { text, eventAt }, isExcerpt = false }: LogEntryTextProps) {
  return (
    <>
      {eventAt !== null && (
        <p className="flex items-center gap-2 self-start rounded-mark bg-island-soft px-2.5 py-1 text-sm text-ink">
          <CalendarClock aria-hidden className="size-4 shrink-0 text-island" />
          <LocalTime at={eventAt} form="appointment" />
        </p>
      )}
      {text !== null &&
        (isExcerpt ? (
          <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted">
            {text}
          </p>
        ) : (
          <p dir="auto" className="text-sm whitespace-pre-line wrap-anywhere text-ink/90">
            <LinkedText>{text}</LinkedText>
          </p>
        ))}
    </>
  )
}
