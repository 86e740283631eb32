import { searchText } from '../../../lib/search-text.ts'
import { type NodeColumns, type NodeRecord, packTexts, type TextColumn } from './node-columns.ts'

interface NodeOrders {
  readonly label: Uint32Array
  readonly lat: Uint32Array
  readonly lon: Uint32Array
}

/** The prepared data for searching and sorting the list. It is built in the worker, off the main thread. */
export interface ListingIndex {
  readonly searchable: TextColumn
  readonly orders: NodeOrders
}

/** An index with the columns it belongs to. The globe and the map may already draw newer columns. */
export interface Listing extends ListingIndex {
  readonly columns: NodeColumns
}

// One language for everybody, so that a link to a sorted list shows the same order to all.
const collator = new Intl.Collator('en', { numeric: true })

/** Takes about a quarter of a second for 100,000 nodes. */
export function indexListing(nodes: readonly NodeRecord[]): ListingIndex {
  const latDeg = Float64Array.from(nodes, (node) => node.latDeg)
  const lonDeg = Float64Array.from(nodes, (node) => node.lonDeg)
  const labels = nodes.map(({ label }) => label)
  const ids = nodes.map(({ id }) => id)
  // Ties are sorted by id, so that the order is always the same.
  const byId = (a: number, b: number) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1)
  const indexes = Uint32Array.from(nodes, (_, index) => index)
  return {
    searchable: packTexts(labels.map(searchText)),
    orders: {
      label: indexes.toSorted(
        (a, b) => collator.compare(labels[a] ?? '', labels[b] ?? '') || byId(a, b),
      ),
      lat: indexes.toSorted((a, b) => (latDeg[a] ?? 0) - (latDeg[b] ?? 0) || byId(a, b)),
      lon: indexes.toSorted((a, b) => (lonDeg[a] ?? 0) - (lonDeg[b] ?? 0) || byId(a, b)),
    },
  }
}

export function buffersOfIndex({ searchable, orders }: ListingIndex): ArrayBufferLike[] {
  return [searchable.ends, orders.label, orders.lat, orders.lon].map((array) => array.buffer)
}
