import type { IslandView } from '@astropelago/contract/islands'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { islandLogQuery } from '../../../islands/island-log-query.ts'
import type { Session } from '../../../lib/session.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded-list.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Reporting } from '../reporting.ts'
import { LogLine } from './log-line.tsx'
import { NoteForm } from './note-form.tsx'
import { SignalForm } from './signal-form.tsx'

interface IslandLogProps {
  island: IslandView
  session: Session
  report: Reporting
}

/** An island's log, newest first, with a form for those who may write. */
export function IslandLog({ island, session, report }: IslandLogProps) {
  const titleId = useId()
  const { id, role, mayNote } = island
  const query = useInfiniteQuery(islandLogQuery(id))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const readerName = session.state === 'signed-in' ? session.user.username : undefined
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Log"
        description="When it opened and closed, signals from its host, and notes from visitors."
      />
      {role === 'host' ? <SignalForm id={id} /> : mayNote && <NoteForm id={id} />}
      <LoadedList
        of="The log"
        query={query}
        isEmpty={entries.length === 0}
        skeleton={<LogSkeleton />}
        empty={
          <p className="text-sm text-muted">
            There is nothing here yet.{mayNote && role !== 'host' && ' Leave the first note.'}
          </p>
        }
        more="Show earlier"
      >
        <ol aria-labelledby={titleId} className="flex flex-col">
          {entries.map((entry) => (
            <LogLine
              key={entry.id}
              entry={entry}
              islandId={id}
              // Readers delete their own entries instead of reporting them. Signed-out readers can't
              // report, because nobody could answer them.
              report={readerName !== undefined && entry.author !== readerName ? report : undefined}
            />
          ))}
        </ol>
      </LoadedList>
    </Card>
  )
}

const rows = [0, 1, 2, 3]

function LogSkeleton() {
  return (
    <div data-awaited className="flex flex-col gap-5">
      <output className="sr-only">Loading the log…</output>
      {rows.map((row) => (
        <Skeleton key={row} className="h-10 w-full rounded-mark" />
      ))}
    </div>
  )
}
