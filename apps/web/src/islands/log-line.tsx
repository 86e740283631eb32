import type { IslandLogEntry } from '@astropelago/contract/all-logs'
import type { ReactNode } from 'react'
import { HiddenNote } from '../ui/hidden-note.tsx'
import { LocalTime } from '../ui/local-time.tsx'
import { logEntryIcons } from './log-entry-icons.ts'
import { LogEntryText } from './log-entry-text.tsx'
import { IslandName } from './island-name.tsx'

/** One line in a list of several logs, with its time. */
export function LogLine({ island, entry }: IslandLogEntry) {
  const Icon = logEntryIcons[entry.kind]
  return (
    <HappeningLine
      sign={<Icon aria-hidden strokeWidth={1.75} className="size-4 text-island" />}
      happening={<Happening island={island} entry={entry} />}
      at={entry.at}
    >
      <LogEntryText entry={entry} isExcerpt />
      {entry.hidden !== null && <HiddenNote reason={entry.hidden.reason} />}
    </HappeningLine>
  )
}

interface HappeningLineProps {
  sign: ReactNode
  happening: ReactNode
  at: string
  children?: ReactNode
}

/** One event with its time, in a list grouped by day. */
export function HappeningLine({ sign, happening, at, children }: HappeningLineProps) {
  return (
    <li className="flex min-w-0 items-start gap-3.5 border-b border-line py-2.5 text-sm last:border-0">
      <span className="mt-0.75 grid size-4 shrink-0 place-items-center text-muted">{sign}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="min-w-0 wrap-anywhere">{happening}</p>
        {children}
      </div>
      <span className="shrink-0 text-xs leading-[1.375rem] text-muted">
        <LocalTime at={at} form="hour" />
      </span>
    </li>
  )
}

function Happening({ island, entry: { kind, author } }: IslandLogEntry): ReactNode {
  const name = <IslandName island={island} />
  const who = author === null ? 'Somebody' : <bdi className="font-medium">{author}</bdi>
  switch (kind) {
    case 'opened':
      return <>{name} opened</>
    case 'closed':
      return <>{name} closed</>
    case 'joined':
      return (
        <>
          {who} joined {name}
        </>
      )
    case 'signal':
      return <>{name} signals</>
    case 'note':
  }
  return (
    <>
      {who} left a note on {name}
    </>
  )
}
