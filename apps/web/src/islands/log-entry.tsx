import type { IslandLogEntry } from '@astropelago/contract/all-logs'
import type { LogEntry } from '@astropelago/contract/island-log'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import CalendarClock from 'virtual:icon/calendar-clock'
import DoorClosed from 'virtual:icon/door-closed'
import DoorOpen from 'virtual:icon/door-open'
import EyeOff from 'virtual:icon/eye-off'
import MessageSquare from 'virtual:icon/message-square'
import RadioTower from 'virtual:icon/radio-tower'
import UserRoundPlus from 'virtual:icon/user-round-plus'
import { NameLink } from '../lib/name-link.tsx'
import { paths } from '../paths.ts'
import type { IconComponent } from '../ui/create-icon.tsx'
import { LinkedText } from '../ui/linked-text.tsx'
import { LocalTime } from '../ui/local-time.tsx'

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
  const who = author !== null && <bdi className="font-medium">{author}</bdi>
  switch (kind) {
    case 'opened':
      return <Trans>{name} opened</Trans>
    case 'closed':
      return <Trans>{name} closed</Trans>
    case 'joined':
      return who ? (
        <Trans>
          {who} joined {name}
        </Trans>
      ) : (
        <Trans>Somebody joined {name}</Trans>
      )
    case 'signal':
      return <Trans>{name} signals</Trans>
    case 'note':
  }
  return who ? (
    <Trans>
      {who} left a note on {name}
    </Trans>
  ) : (
    <Trans>Somebody left a note on {name}</Trans>
  )
}

export const logEntryIcons: Readonly<Record<LogEntry['kind'], IconComponent>> = {
  opened: DoorOpen,
  closed: DoorClosed,
  joined: UserRoundPlus,
  signal: RadioTower,
  note: MessageSquare,
}

interface LogEntryTextProps {
  entry: Pick<LogEntry, 'text' | 'eventAt'>
  isExcerpt?: boolean
}

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

export function IslandName({ island: { slug, name } }: Pick<IslandLogEntry, 'island'>) {
  return <NameLink to={paths.island(slug)}>{name}</NameLink>
}

export function HiddenNote({ reason }: { reason: string }) {
  return (
    <p className="flex items-start gap-2 text-xs text-muted">
      <EyeOff aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <Trans>Hidden from everybody else by the operator of this server: “{reason}”</Trans>
      </span>
    </p>
  )
}
