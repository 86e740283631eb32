import { useState } from 'react'
import { Link } from 'react-router'
import Satellite from 'virtual:icon/satellite'
import SearchX from 'virtual:icon/search-x'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { Listing } from '../nodes/index-listing.ts'
import { findNode } from '../nodes/node-columns.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import { type NodeSource, useSourceState } from '../nodes/node-source.ts'
import { defaultQuery, type NodeQuery } from '../query/node-query.ts'
import { type ShownNodes, useShownRows } from '../query/shown-nodes.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import { VirtualList } from './virtual-list.tsx'

/** How much of the Earth the globe and the map show around a node selected here. */
const selectedSpanDeg = 20

interface DeviceListProps {
  source: NodeSource
  shown: ShownNodes
  selection: Selection
  query: NodeQuery
  onQuery: (changes: Partial<NodeQuery>) => void
}

/**
 * The same nodes as a table, for everybody who can't or prefers not to use the globe. Fills its container's
 * height.
 */
export function DeviceList({ source, shown, selection, query, onQuery }: DeviceListProps) {
  const { phase } = useSourceState(source)
  const { listing, rows } = useShownRows(shown)
  return (
    <div className="h-full overflow-hidden rounded-control border border-line">
      {listing === undefined &&
        (phase === 'failed' ? (
          <p className="p-5 text-sm text-muted">The devices could not be loaded.</p>
        ) : (
          <ListSkeleton />
        ))}
      {listing !== undefined && rows.length > 0 && (
        <FilledList {...{ listing, rows, query, selection }} onChange={onQuery} />
      )}
      {listing !== undefined && rows.length === 0 && (
        <div className="p-5">
          {listing.columns.count === 0 ? (
            <NoDevices />
          ) : (
            <NoneFound onReset={() => onQuery(defaultQuery)} />
          )}
        </div>
      )}
    </div>
  )
}

interface FilledListProps {
  listing: Listing
  rows: Uint32Array
  query: NodeQuery
  selection: Selection
  onChange: (changes: Partial<NodeQuery>) => void
}

function FilledList({ listing, rows, query, selection, onChange }: FilledListProps) {
  const { columns } = listing
  // Stored as the node's index, which stays the same while other nodes come and go.
  const [activeIndex, setActiveIndex] = useState<number>()
  const selectedId = useSelectedId(selection)
  const selectedIndex = selectedId === undefined ? undefined : findNode(columns, selectedId)
  const activePosition = activeIndex === undefined ? -1 : rows.indexOf(activeIndex)

  const select = (index: number) => {
    const { id, latDeg, lonDeg } = summarizeNode(columns, index)
    selection.select(id, { latDeg, lonDeg, spanDeg: selectedSpanDeg })
  }
  return (
    <VirtualList
      columns={columns}
      rows={rows}
      query={query}
      selectedIndex={selectedIndex}
      activePosition={Math.max(0, activePosition)}
      onActivate={(position) => setActiveIndex(rows[position])}
      onSelect={select}
      onChange={onChange}
    />
  )
}

function NoDevices() {
  return (
    <EmptyState icon={<Satellite aria-hidden />} title="No public devices yet">
      <p>The first one shows up here, on the globe and on the map as soon as it is registered.</p>
      <Link to={paths.connect()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
        Connect a device
      </Link>
    </EmptyState>
  )
}

function NoneFound({ onReset }: { onReset: () => void }) {
  return (
    <EmptyState icon={<SearchX aria-hidden />} title="No device fits">
      <p>The search looks at labels and IDs. Capital letters and accents don’t matter.</p>
      <Button variant="outline" size="sm" onClick={onReset}>
        Show all devices
      </Button>
    </EmptyState>
  )
}

const skeletonRows = Array.from({ length: 9 }, (_, index) => index)

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-6 p-4">
      {skeletonRows.map((row) => (
        <Skeleton key={row} className="h-5 w-full rounded-mark" />
      ))}
    </div>
  )
}
