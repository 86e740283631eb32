import { Satellite, Search, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { findNode } from '../nodes/node-columns.ts'
import type { Listing } from '../nodes/index-listing.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import { type NodeSource, useSourceState } from '../nodes/node-source.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import {
  defaultQuery,
  type ListQuery,
  type QueryPreferences,
  type StatusFilter,
  statusFilters,
  useListQuery,
} from './list-query.ts'
import { useRows } from './select-rows.ts'
import { VirtualList } from './virtual-list.tsx'

/** How much of the Earth the pictures show around a node that is selected here. */
const selectedSpanDeg = 20

interface DeviceListProps {
  store: NodeStore
  source: NodeSource
  selection: Selection
  /** How the user left the list; what the address says counts more. */
  preferences: QueryPreferences
  onQuery: (left: QueryPreferences) => void
}

/** The same nodes as a table, for everybody who can't or won't use a picture. */
export function DeviceList(props: DeviceListProps) {
  const { store, source, selection, preferences, onQuery } = props
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
            selection={selection}
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

interface ListToolbarProps {
  query: ListQuery
  onChange: (changes: Partial<ListQuery>) => void
}

const filterNames: Readonly<Record<StatusFilter, string>> = {
  all: 'Every status',
  online: 'Online',
  offline: 'Offline',
  unknown: 'Unknown',
}

function ListToolbar({ query, onChange }: ListToolbarProps) {
  return (
    <search className="flex flex-col gap-3 sm:flex-row">
      <div className="relative min-w-0 flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        />
        <Input
          type="search"
          value={query.search}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          aria-label="Search devices by label or ID"
          placeholder="Search by label or ID"
          onChange={(event) => onChange({ search: event.target.value })}
          className="pl-9!"
        />
      </div>
      <Select
        aria-label="Status"
        value={query.status}
        onChange={(event) => {
          const chosen = statusFilters.find((filter) => filter === event.target.value)
          if (chosen !== undefined) onChange({ status: chosen })
        }}
        className="sm:w-44"
      >
        {statusFilters.map((filter) => (
          <option key={filter} value={filter}>
            {filterNames[filter]}
          </option>
        ))}
      </Select>
    </search>
  )
}

interface FilledListProps {
  listing: Listing
  rows: Uint32Array
  query: ListQuery
  selection: Selection
  onChange: (changes: Partial<ListQuery>) => void
}

function FilledList({ listing, rows, query, selection, onChange }: FilledListProps) {
  const { columns } = listing
  // By its index, which a node keeps while others come and go.
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
      <p>Labels and IDs are searched, without regard to case and accents.</p>
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
