import { t } from '@lingui/core/macro'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { findNode, type NodeColumns } from '../nodes/node-columns.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeQuery } from '../query/node-query.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import { headerPx, ListHeader, narrowRowPx, NodeRow, wideListPx, wideRowPx } from './list-rows.tsx'

/** A table whose rows take the focus. ARIA in HTML allows role "grid" on a table. */
const grid = { role: 'grid', tabIndex: -1 } as const

const selectedSpanDeg = 20

interface VirtualListProps {
  columns: NodeColumns
  rows: Uint32Array
  query: NodeQuery
  selection: Selection
  onQuery: (changes: Partial<NodeQuery>) => void
}

export function VirtualList({ columns, rows, query, selection, onQuery }: VirtualListProps) {
  const selectedId = useSelectedId(selection)
  const selectedIndex = selectedId === undefined ? undefined : findNode(columns, selectedId)
  // The row that Tab reaches, as its node's index, which stays the same while other nodes come and go.
  const [activeIndex, setActiveIndex] = useState<number>()
  const activePosition = Math.max(0, activeIndex === undefined ? 0 : rows.indexOf(activeIndex))
  const activate = (position: number) => setActiveIndex(rows[position])
  const select = (index: number) => {
    const { id, latDeg, lonDeg } = summarizeNode(columns, index)
    selection.select(id, { latDeg, lonDeg, spanDeg: selectedSpanDeg })
  }
  const scroller = useRef<HTMLDivElement>(null)
  const rowPx = useWidth(scroller) >= wideListPx ? wideRowPx : narrowRowPx
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (position) => rows[position] ?? position,
    overscan: 6,
    scrollMargin: headerPx,
    scrollPaddingStart: headerPx,
    // The focused row stays rendered however far the list scrolls. Removing it would lose the focus.
    rangeExtractor: (range) =>
      withPosition(defaultRangeExtractor(range), activePosition, range.count),
    useFlushSync: false,
  })

  useEffect(() => virtualizer.measure(), [virtualizer, rowPx])
  useScrollToSelected(rows, selectedIndex, (position) => virtualizer.scrollToIndex(position))

  // Focusing a row scrolls it into view, after rendering: a distant row does not exist before.
  const isFocusDue = useRef(false)
  useLayoutEffect(() => {
    if (!isFocusDue.current) return
    isFocusDue.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-position="${activePosition}"]`)?.focus()
  }, [activePosition])
  const moveByKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const height = scroller.current?.clientHeight ?? rowPx
    const pageSize = Math.max(1, Math.floor((height - headerPx) / rowPx) - 1)
    const position = nextRow(event.key, activePosition, { count: rows.length, pageSize })
    if (position === undefined) return
    event.preventDefault()
    isFocusDue.current = position !== activePosition
    activate(position)
  }

  return (
    <div
      ref={scroller}
      className="@container h-full scroll-pt-[41px] overflow-y-auto overscroll-contain"
    >
      {/* Laid out with blocks and grids, because virtual rows need absolute positions. */}
      <table
        {...grid}
        aria-label={t`Devices`}
        aria-rowcount={rows.length + 1}
        aria-colcount={6}
        data-numeric
        className="block text-start outline-none"
      >
        <thead className="sticky top-0 z-10 block border-b border-line-strong bg-panel">
          <ListHeader query={query} onChange={onQuery} />
        </thead>
        <tbody className="relative block" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index: position, start }) => {
            const index = rows[position] ?? 0
            return (
              <NodeRow
                key={key}
                columns={columns}
                index={index}
                position={position}
                isSelected={index === selectedIndex}
                isTabStop={position === activePosition}
                style={{ height: rowPx, transform: `translateY(${start - headerPx}px)` }}
                onFocus={() => activate(position)}
                onSelect={() => select(index)}
                onKey={moveByKey}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [widthPx, setWidthPx] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const measure = () => setWidthPx(current.offsetWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}

function withPosition(positions: number[], wanted: number, count: number): number[] {
  if (wanted >= count || positions.includes(wanted)) return positions
  return [...positions, wanted].toSorted((a, b) => a - b)
}

/** Scrolls to a node that was selected elsewhere. A row already in view does not move. */
function useScrollToSelected(
  rows: Uint32Array,
  selectedIndex: number | undefined,
  scrollTo: (position: number) => void,
): void {
  const latest = useRef({ rows, scrollTo })
  useEffect(() => {
    latest.current = { rows, scrollTo }
  })
  useEffect(() => {
    if (selectedIndex === undefined) return
    const position = latest.current.rows.indexOf(selectedIndex)
    if (position !== -1) latest.current.scrollTo(position)
  }, [selectedIndex])
}

/** The row that a key leads to; undefined for other keys. */
export function nextRow(key: string, current: number, space: { count: number; pageSize: number }) {
  const { count, pageSize } = space
  const targets = new Map([
    ['ArrowDown', current + 1],
    ['ArrowUp', current - 1],
    ['PageDown', current + pageSize],
    ['PageUp', current - pageSize],
    ['Home', 0],
    ['End', count - 1],
  ])
  const target = targets.get(key)
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target))
}
