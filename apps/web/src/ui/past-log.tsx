import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { Card } from './card.tsx'
import { duration } from './history-words.ts'
import { LoadedList, type LoadedListProps } from './loaded-list.tsx'
import { LocalTime } from './local-time.tsx'
import { Skeleton } from './skeleton.tsx'

interface PastEvent {
  readonly kind: string
  readonly at: string
  readonly note?: string | null
}

export interface EventWords {
  readonly mark: ReactNode
  readonly happened: string
  /** When the state that began with the event ended. */
  readonly until: string | undefined
}

interface PastLogProps<Event> {
  description: string
  query: LoadedListProps['query']
  /** Newest first. */
  events: readonly Event[]
  wordsOf: (event: Event, index: number, events: readonly Event[]) => EventWords
}

/** The number of events shown at first. The others of the loaded pages appear on request. */
const shortLog = 12

export function PastLog<Event extends PastEvent>(props: PastLogProps<Event>) {
  const { description, query, events, wordsOf } = props
  const [isShort, setIsShort] = useState(true)
  const isCut = isShort && events.length > shortLog
  return (
    <Card title={t`Log`} description={description}>
      <LoadedList
        of={t`The log`}
        query={
          isCut ? { ...query, hasNextPage: true, fetchNextPage: () => setIsShort(false) } : query
        }
        isEmpty={events.length === 0}
        skeleton={<Skeleton className="h-40 w-full rounded-control" />}
        empty={
          <p className="text-sm text-muted">
            <Trans>Nothing has happened in the last 90 days.</Trans>
          </p>
        }
        more={t`Show earlier`}
      >
        <ol className="flex flex-col">
          {events.slice(0, isCut ? shortLog : undefined).map((event, index) => (
            <EventLine
              key={`${event.at} ${event.kind}`}
              event={event}
              words={wordsOf(event, index, events)}
            />
          ))}
        </ol>
      </LoadedList>
    </Card>
  )
}

function EventLine({ event: { at, note }, words }: { event: PastEvent; words: EventWords }) {
  const { mark, happened, until } = words
  const time =
    until === undefined ? undefined : duration((Date.parse(until) - Date.parse(at)) / 1000)
  return (
    <li
      data-numeric
      className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-2.5 text-sm first:pt-0 last:border-0 last:pb-0"
    >
      {mark}
      <span className="text-ink">{happened}</span>
      {time !== undefined && <span className="text-muted">{t`for ${time}`}</span>}
      <span className="ms-auto text-xs text-muted">
        <LocalTime at={at} />
      </span>
      {note && (
        <span dir="auto" className="w-full ps-6 text-xs wrap-anywhere text-muted">
          {note}
        </span>
      )}
    </li>
  )
}

interface LogAndPartsProps {
  /** Null if nothing has happened yet. */
  log: ReactNode
  children: ReactNode
}

/** The tree is the same with and without a log, so that edits in a part survive its first event. */
export function LogAndParts({ log, children }: LogAndPartsProps) {
  return (
    <div className={`grid items-start gap-6 ${log === null ? '' : 'lg:grid-cols-2'}`}>
      {log}
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
    </div>
  )
}
