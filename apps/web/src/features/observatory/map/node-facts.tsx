import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { DeviceLink } from '../../../ui/device-link.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { statusWord } from './status-word.ts'

/** What is known of a node, in the popover. */
export function NodeFacts({ columns, index }: { columns: NodeColumns; index: number }) {
  const link = textAt(columns.links, index)
  const latDeg = columns.latDeg[index] ?? 0
  const lonDeg = columns.lonDeg[index] ?? 0
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-3 py-3 text-sm">
      <dt className="text-muted">Status</dt>
      <dd>
        <StatusBadge status={statusWord(columns.status[index])} />
      </dd>
      <dt className="text-muted">Place</dt>
      <dd data-numeric>
        {formatCoordinate(latDeg)}, {formatCoordinate(lonDeg)}
      </dd>
      <dt className="text-muted">Link</dt>
      <dd>
        <DeviceLink link={link === '' ? null : link} />
      </dd>
    </dl>
  )
}
