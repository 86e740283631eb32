import type { ActivityItem } from '@astropelago/contract/island-log'
import { HappeningLine, LogLine } from '../../../islands/log-line.tsx'
import { NameLink } from '../../../lib/name-link.tsx'
import { paths } from '../../../paths.ts'
import { StatusMark } from '../../../ui/status-badge.tsx'

const flips = {
  online: 'came online',
  offline: 'went offline',
  unknown: 'has not reported',
} as const

/** One event with its time of day. */
export function ActivityLine({ item }: { item: ActivityItem }) {
  if (item.type === 'log') return <LogLine island={item.island} entry={item.entry} />
  const { device, status, at } = item
  return (
    <HappeningLine
      sign={
        <svg aria-hidden viewBox="0 0 12 12" className="size-3" fill="none">
          <StatusMark status={status} />
        </svg>
      }
      happening={
        <>
          <NameLink to={paths.device(device.id)}>{device.label}</NameLink> {flips[status]}
        </>
      }
      at={at}
    />
  )
}
