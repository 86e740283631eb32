import type { CSSProperties, KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { DeviceLink } from '../../../ui/device-link.tsx'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { statusWord } from '../nodes/status-word.ts'
import { rowGrid } from './row-grid.ts'

const shownIdLength = 12

interface NodeRowProps {
  columns: NodeColumns
  /** The node's index. */
  index: number
  /** The row's place in the list, from 0. */
  position: number
  isSelected: boolean
  /** The one row that Tab reaches. */
  isTabStop: boolean
  style: CSSProperties
  onFocus: () => void
  onSelect: () => void
  /** Keys that do not select. */
  onKey: (event: KeyboardEvent) => void
}

/** A row of the table, or on a phone the same cells in three lines. */
export function NodeRow(props: NodeRowProps) {
  const { columns, index, position, isSelected, isTabStop, style, onFocus, onSelect, onKey } = props
  const id = textAt(columns.ids, index)
  const label = textAt(columns.labels, index)
  const link = textAt(columns.links, index)
  return (
    <tr
      aria-rowindex={position + 2}
      aria-selected={isSelected}
      data-position={position}
      tabIndex={isTabStop ? 0 : -1}
      style={style}
      onFocus={onFocus}
      onClick={(event) => {
        const isOnLink = event.target instanceof Element && event.target.closest('a') !== null
        if (!isOnLink) onSelect()
      }}
      onKeyDown={(event) => {
        // Keys on the link inside are the link's.
        if (event.target !== event.currentTarget) return
        if (event.key !== 'Enter' && event.key !== ' ') onKey(event)
        else {
          event.preventDefault()
          onSelect()
        }
      }}
      className={classNames(
        rowGrid,
        'absolute inset-x-0 top-0 cursor-pointer content-center items-center border-b border-line text-sm -outline-offset-2 transition-colors hover:bg-hover/60',
        isSelected && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <td className="[grid-area:id] truncate font-mono text-xs text-muted" title={id}>
        {id.slice(0, shownIdLength)}
      </td>
      <td className="[grid-area:label] truncate font-medium text-ink" title={label}>
        <bdi>{label}</bdi>
      </td>
      <td className="[grid-area:lat] text-right text-xs text-muted md:text-sm md:text-ink">
        {formatCoordinate(columns.latDeg[index] ?? 0)}
      </td>
      <td className="[grid-area:lon] text-right text-xs text-muted md:text-sm md:text-ink">
        {formatCoordinate(columns.lonDeg[index] ?? 0)}
      </td>
      <td className="[grid-area:status] justify-self-end md:justify-self-start">
        <StatusBadge status={statusWord(columns.status[index])} />
      </td>
      <td className="[grid-area:link] min-w-0">
        <DeviceLink link={link === '' ? null : link} tabIndex={isTabStop ? 0 : -1} />
      </td>
    </tr>
  )
}
