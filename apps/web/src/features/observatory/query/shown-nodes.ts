import type { Neighbour } from '@astropelago/contract/neighbours'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { createEmitter } from '../../../lib/emitter.ts'
import { knownFrom } from '../../../neighbours/use-neighbours.ts'
import type { Listing } from '../nodes/index-listing.ts'
import { type NodeColumns, noNodes, pickNodes } from '../nodes/node-columns.ts'
import type { NodeSource } from '../nodes/node-source.ts'
import type { NodeChange, NodeStore } from '../nodes/node-store.ts'
import {
  defaultQuery,
  isFiltering,
  type NodeQuery,
  type QueryPreferences,
  useNodeQuery,
} from './node-query.ts'
import { selectRows } from './select-rows.ts'

/** What the list shows: indexes into the listing's columns, in the query's order. */
interface ShownRows {
  readonly listing: Listing | undefined
  readonly rows: Uint32Array
}

export type ShownNodes = ReturnType<typeof createShownNodes>

const noRows = new Uint32Array(0)

/**
 * The nodes that match the query, as a store and as the list's rows. Without a filter nothing is copied. A
 * filter copies the nodes that match: about 40 ms for 100,000, almost nothing for few.
 */
export function createShownNodes(all: NodeStore, source: Pick<NodeSource, 'state' | 'subscribe'>) {
  const changes = createEmitter<NodeChange>()
  const listChanges = createEmitter()
  let query = defaultQuery
  let list: ShownRows = { listing: undefined, rows: noRows }
  let filtered: NodeColumns | undefined
  let version = all.version

  const publish = (change: NodeChange) => {
    version += 1
    changes.emit(change)
  }
  const select = () => {
    const before = list
    const { listing } = source.state
    const rows = listing === undefined ? noRows : selectRows(listing, query)
    list = { listing, rows }
    listChanges.emit()
    return before.listing === listing && isSame(before.rows, rows)
  }
  const showFiltered = (isSameNodes: boolean) => {
    const { listing, rows } = list
    if (listing === undefined) return
    if (filtered === undefined || !isSameNodes) {
      filtered = pickNodes(listing.columns, rows)
      publish({ kind: 'replaced' })
      return
    }
    const indexes = takeStatuses(filtered.status, listing.columns.status, rows)
    if (indexes.length > 0) publish({ kind: 'statuses', indexes })
  }
  const showAll = (change: NodeChange) => {
    filtered = undefined
    publish(change)
  }
  const follow = (change: NodeChange) => {
    if (isFiltering(query)) {
      showFiltered(select())
      return
    }
    if (change.kind === 'statuses' && query.sort !== 'status') {
      list = { ...list }
      listChanges.emit()
    } else select()
    showAll(change)
  }

  return {
    get columns() {
      if (!isFiltering(query)) return all.columns
      return filtered ?? noNodes
    },
    get version() {
      return version
    },
    get isFiltered() {
      return isFiltering(query)
    },
    get list() {
      return list
    },
    subscribe: changes.on,
    /** Calls the listener when the rows or the status of one have changed. */
    subscribeToList: listChanges.on,
    setQuery(next: NodeQuery) {
      if (next === query) return
      const wasFiltering = isFiltering(query)
      query = next
      const isSameNodes = select()
      if (isFiltering(query)) showFiltered(isSameNodes)
      else if (wasFiltering) showAll({ kind: 'replaced' })
    },
    start() {
      const stopAll = all.subscribe(follow)
      // The index lags a moment behind the nodes.
      const stopListing = source.subscribe(() => {
        if (source.state.listing === list.listing) return
        const isSameNodes = select()
        if (isFiltering(query)) showFiltered(isSameNodes)
      })
      return () => {
        stopAll()
        stopListing()
      }
    },
  }
}

function isSame(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((index, at) => index === other[at])
}

/** Copies the statuses of these rows. Returns the positions where the status changed. */
function takeStatuses(shown: Uint8Array, all: Uint8Array, rows: Uint32Array): Uint32Array {
  const changed: number[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const status = all[rows[at] ?? 0] ?? 0
    if (shown[at] === status) continue
    shown[at] = status
    changed.push(at)
  }
  return Uint32Array.from(changed)
}

export function useShownRows(shown: ShownNodes): ShownRows {
  return useSyncExternalStore(shown.subscribeToList, () => shown.list)
}

export function useShownNodes(
  all: NodeStore,
  source: NodeSource,
  preferences: QueryPreferences,
  onChange: (preferences: QueryPreferences) => void,
  neighbours: readonly Neighbour[],
) {
  const [shown] = useState(() => createShownNodes(all, source))
  const asked = useNodeQuery(preferences, onChange)
  const from = knownFrom(asked.query.from, neighbours)
  const query = useMemo(() => ({ ...asked.query, from }), [asked.query, from])
  useEffect(() => shown.start(), [shown])
  useEffect(() => shown.setQuery(query), [shown, query])
  return { shown, ...asked, query }
}
