import { SearchX, Satellite } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { Attention } from '../attention.ts'
import { findNode } from '../nodes/find-node.ts'
import type { Listing } from '../nodes/index-listing.ts'
import { textAt } from '../nodes/node-columns.ts'
import type { NodeSource } from '../nodes/node-source.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { useSourceState } from '../nodes/use-source-state.ts'
import { useSelectedId } from '../use-selected-id.ts'
import { defaultQuery, type ListQuery } from './list-query.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { type QueryPreferences, useListQuery } from './use-list-query.ts'
import { useRows } from './use-rows.ts'
import { VirtualList } from './virtual-list.tsx'

/** How much of the Earth the pictures show around a node that is selected here. */
const selectedSpanDeg = 20

interface DeviceListProps {
  store: NodeStore
  source: NodeSource
  attention: Attention
  /** How the user left the list; what the address says counts more. */
  preferences: QueryPreferences
  onQuery: (left: QueryPreferences) => void
}

/** The same nodes as a table, for everybody who can't or won't use a picture. */
export function DeviceList(props: DeviceListProps) {
  const { store, source, attention, preferences, onQuery } = props
  const { listing, phase } = useSourceState(source)
  const [query, change] = useListQuery(preferences, onQuery)
  const rows = useRows(store, listing, query)
  const total = listing?.columns.count ?? 0

  return (
    <div className="flex flex-col gap-5">
      <ListToolbar query={query} onChange={change} />
      <output className="-my-2 block text-sm text-muted" data-numeric>
        {listing === undefined ? '\u00a0' : countSentence(rows.length, total)}
      </output>
      <div className="h-[32rem] overflow-hidden rounded-control border border-line">
        {listing === undefined &&
          (phase === 'failed' ? (
            <p className="p-5 text-sm text-muted">The devices could not be loaded.</p>
          ) : (
            <ListSkeleton />
          ))}
        {listing !== undefined && rows.length > 0 && (
          <FilledList
            listing={listing}
            rows={rows}
            query={query}
            attention={attention}
            onChange={change}
          />
        )}
        {listing !== undefined && rows.length === 0 && (
          <div className="p-5">
            {total === 0 ? <NoDevices /> : <NoneFound onReset={() => change(defaultQuery)} />}
          </div>
        )}
      </div>
    </div>
  )
}

function countSentence(shown: number, total: number): string {
  const all = `${total.toLocaleString('en')} ${total === 1 ? 'device' : 'devices'}`
  return shown === total ? all : `${shown.toLocaleString('en')} of ${all}`
}

interface FilledListProps {
  listing: Listing
  rows: Uint32Array
  query: ListQuery
  attention: Attention
  onChange: (changes: Partial<ListQuery>) => void
}

function FilledList({ listing, rows, query, attention, onChange }: FilledListProps) {
  const { columns } = listing
  // By its index, which a node keeps while others come and go.
  const [activeIndex, setActiveIndex] = useState<number>()
  const selectedId = useSelectedId(attention)
  const selectedIndex = selectedId === undefined ? undefined : findNode(columns, selectedId)
  const activePosition = activeIndex === undefined ? -1 : rows.indexOf(activeIndex)

  const select = (index: number) => {
    attention.select(textAt(columns.ids, index), {
      latDeg: columns.latDeg[index] ?? 0,
      lonDeg: columns.lonDeg[index] ?? 0,
      spanDeg: selectedSpanDeg,
    })
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
      <p>Labels and IDs are searched, without regard to case and accents.</p>
      <Button variant="outline" size="sm" onClick={onReset}>
        Show all devices
      </Button>
    </EmptyState>
  )
}
