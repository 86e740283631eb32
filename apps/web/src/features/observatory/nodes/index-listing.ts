import type { NodeColumns, TextColumn } from './node-columns.ts'
import { packTexts } from './pack-columns.ts'
import type { NodeRecord } from './read-node.ts'

/** The nodes' order by each property, as indexes; the smallest first. */
export interface NodeOrders {
  readonly label: Uint32Array
  readonly lat: Uint32Array
  readonly lon: Uint32Array
}

/** What searching and sorting the list takes, prepared where it holds nobody up. */
export interface ListingIndex {
  /** Labels as searchText makes them. */
  readonly searchable: TextColumn
  readonly orders: NodeOrders
}

/** An index and the columns that it speaks of; newer ones may be drawn already. */
export interface Listing extends ListingIndex {
  readonly columns: NodeColumns
}

// One language for all, so that a link to a sorted list shows the same order to everybody.
const collator = new Intl.Collator('en', { numeric: true })

/** About 150 ms for 100,000 nodes. */
export function indexListing(nodes: readonly NodeRecord[]): ListingIndex {
  return {
    searchable: packTexts(nodes.map(({ label }) => searchText(label))),
    orders: {
      label: orderOf(nodes, (a, b) => collator.compare(a.label, b.label) || byId(a, b)),
      lat: orderOf(nodes, (a, b) => a.latDeg - b.latDeg || byId(a, b)),
      lon: orderOf(nodes, (a, b) => a.lonDeg - b.lonDeg || byId(a, b)),
    },
  }
}

/** Without case and accents: who types 'zurich' finds Zürich. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function byId(a: NodeRecord, b: NodeRecord): number {
  return a.id < b.id ? -1 : 1
}

export function buffersOfIndex({ searchable, orders }: ListingIndex): ArrayBufferLike[] {
  return [searchable.ends, orders.label, orders.lat, orders.lon].map((array) => array.buffer)
}

function orderOf(
  nodes: readonly NodeRecord[],
  compare: (a: NodeRecord, b: NodeRecord) => number,
): Uint32Array {
  const entries = nodes.map((node, index) => ({ node, index }))
  entries.sort((a, b) => compare(a.node, b.node))
  return Uint32Array.from(entries, ({ index }) => index)
}
