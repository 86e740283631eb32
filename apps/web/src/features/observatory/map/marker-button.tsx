import type { KeyboardEvent } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { StatusMark } from '../../../ui/status-badge.tsx'
import { IslandShape } from '../islands/island-mark.tsx'
import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { statusWord, summarizeNode } from '../nodes/node-name.ts'
import { mapTextLook } from './map-pins.tsx'
import { type MapMarker, nodesOf } from './marker-cells.ts'
import { shownCounts } from './marker-layout.ts'

interface MarkerButtonProps {
  readonly marker: MapMarker
  readonly columns: NodeColumns
  readonly label: string | undefined
  /** Whether the map draws the node's mark itself. */
  readonly isDrawn: boolean
  readonly isReachable: boolean
  readonly onOpen: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  /**
   * Called with the node's id when the mouse or the focus reaches its marker, and with undefined when it
   * leaves.
   */
  readonly onPoint: (id: string | undefined) => void
}

/** A marker: a node, or a group's number of online nodes and of all nodes. */
export function MarkerButton(props: MarkerButtonProps) {
  const { marker, columns, label, isDrawn, isReachable, onOpen, onKeyDown, onPoint } = props
  const isNode = nodesOf(marker) === 1
  const point = () => onPoint(isNode ? textAt(columns.ids, marker.firstIndex) : undefined)
  const leave = () => onPoint(undefined)
  return (
    <button
      type="button"
      data-placed
      data-marker={isNode ? 'node' : 'group'}
      aria-label={isNode ? nodeText(columns, marker.firstIndex) : groupText(marker)}
      tabIndex={isReachable ? 0 : -1}
      onClick={onOpen}
      onKeyDown={onKeyDown}
      onMouseEnter={point}
      onMouseLeave={leave}
      onFocus={point}
      onBlur={leave}
      className={classNames(
        'pointer-events-auto absolute -translate-x-1/2 -translate-y-1/2 rounded-full',
        isNode
          ? 'grid size-7 place-items-center hover:bg-accent-soft'
          : 'flex h-7 items-center gap-1 border border-line-strong bg-panel/95 px-2.5 text-xs whitespace-nowrap text-ink shadow-raised transition-colors hover:border-edge hover:bg-hover',
      )}
    >
      {isNode ? (
        <NodeMark
          status={statusWord(columns.status[marker.firstIndex])}
          label={label}
          isDrawn={isDrawn}
          isPrivate={columns.privates.includes(marker.firstIndex)}
          isIsland={columns.islands.includes(marker.firstIndex)}
        />
      ) : (
        <GroupCounts marker={marker} />
      )}
    </button>
  )
}

interface NodeMarkProps {
  readonly status: string
  readonly label: string | undefined
  readonly isDrawn: boolean
  readonly isPrivate: boolean
  readonly isIsland: boolean
}

function NodeMark({ status, label, isDrawn, isPrivate, isIsland }: NodeMarkProps) {
  return (
    <>
      {isPrivate && (
        <span aria-hidden className="absolute size-4.5 rounded-full border border-ink/85" />
      )}
      {isIsland && (
        <span className="absolute grid size-6 place-items-center rounded-full bg-ground/90">
          <IslandShape isOpen={status === 'online'} className="size-4.5" />
        </span>
      )}
      {!isIsland && !isDrawn && <Mark status={status} />}
      {label !== undefined && (
        <span
          dir="auto"
          className={classNames(mapTextLook, 'absolute top-1/2 left-full -ml-0.5 -translate-y-1/2')}
        >
          {label}
        </span>
      )}
    </>
  )
}

function GroupCounts({ marker }: { marker: MapMarker }) {
  const { online, all } = shownCounts(marker)
  return (
    <>
      <Mark status={marker.online > 0 ? 'online' : 'offline'} />
      <span data-numeric>{online}</span>
      <span data-numeric className="text-muted">
        {all}
      </span>
    </>
  )
}

function Mark({ status }: { status: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3 shrink-0" fill="none">
      <StatusMark status={status} />
    </svg>
  )
}

function nodeText(columns: NodeColumns, index: number): string {
  const { name, status, isPrivate, island } = summarizeNode(columns, index)
  const text = `${name}, ${status}${isPrivate ? ', private' : ''}`
  return island === undefined ? text : `${text}, island ${island.name}`
}

function groupText(marker: MapMarker): string {
  const counts = [
    [marker.online, 'online'],
    [marker.offline, 'offline'],
    [marker.other, 'unknown'],
  ]
  const parts = counts.filter(([count]) => count !== 0).map((part) => part.join(' '))
  return `${nodesOf(marker)} devices: ${parts.join(', ')}`
}
