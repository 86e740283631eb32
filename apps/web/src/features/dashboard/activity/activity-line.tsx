import type { ActivityItem } from '@astropelago/contract/island-log'
import type { ReactNode } from 'react'
import { paths } from '../../../paths.ts'
import { LocalTime } from '../../../ui/local-time.tsx'
import { logEntryIcons } from '../../../ui/log-entry-icons.ts'
import { LogEntryText } from '../../../ui/log-entry-text.tsx'
import { NameLink } from '../../../lib/name-link.tsx'
import { StatusMark } from '../../../ui/status-badge.tsx'
import { IslandName } from '../island-name.tsx'

/** One thing that happened, with its hour. */
export function ActivityLine({ item }: { item: ActivityItem }) {
  return (
    <li className="flex min-w-0 items-start gap-3.5 border-b border-line py-2.5 text-sm last:border-0">
      <span className="mt-0.75 grid size-4 shrink-0 place-items-center text-muted">
        <Sign item={item} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="min-w-0 wrap-anywhere">
          <Happening item={item} />
        </p>
        {item.type === 'log' && <LogEntryText entry={item.entry} isExcerpt />}
      </div>
      <span className="shrink-0 text-xs leading-[1.375rem] text-muted">
        <LocalTime at={item.at} form="hour" />
      </span>
    </li>
  )
}

function Sign({ item }: { item: ActivityItem }) {
  if (item.type === 'flip') {
    return (
      <svg aria-hidden viewBox="0 0 12 12" className="size-3" fill="none">
        <StatusMark status={item.status} />
      </svg>
    )
  }
  const Icon = logEntryIcons[item.entry.kind]
  return <Icon aria-hidden strokeWidth={1.75} className="size-4 text-island" />
}

const flips = {
  online: 'came online',
  offline: 'went offline',
  unknown: 'has not reported',
} as const

function Happening({ item }: { item: ActivityItem }): ReactNode {
  if (item.type === 'flip') {
    return (
      <>
        <NameLink to={paths.device(item.device.id)}>{item.device.label}</NameLink>{' '}
        {flips[item.status]}
      </>
    )
  }
  const island = <IslandName island={item.island} />
  const { author } = item.entry
  const who = author === null ? 'Somebody' : <bdi className="font-medium">{author}</bdi>
  switch (item.entry.kind) {
    case 'opened':
      return <>{island} opened</>
    case 'closed':
      return <>{island} closed</>
    case 'joined':
      return (
        <>
          {who} joined {island}
        </>
      )
    case 'signal':
      return <>{island} signals</>
    case 'note':
  }
  return (
    <>
      {who} left a note on {island}
    </>
  )
}
