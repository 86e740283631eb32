import { searchText } from '../../../lib/search-text.ts'
import type { Listing } from '../nodes/index-listing.ts'
import { type NodeColumns, statusCodes, type TextColumn } from '../nodes/node-columns.ts'
import type { From, NodeQuery, StatusFilter } from './node-query.ts'

const codeOf: Readonly<Record<Exclude<StatusFilter, 'all'>, number>> = {
  online: statusCodes.online,
  offline: statusCodes.offline,
  unknown: statusCodes.other,
}
const allCodes = [statusCodes.online, statusCodes.offline, statusCodes.other]

/** The orders are prepared, so each keystroke costs one pass: about 3 ms for 100,000 nodes. */
export function selectRows(listing: Listing, query: NodeQuery): Uint32Array {
  const { columns, orders } = listing
  const { sort, isDescending } = query
  const isFound = findInTexts(listing, query.search)
  const from = fromCode(columns, query.from)
  const rows = new Uint32Array(columns.count)
  let count = 0

  const take = (order: Uint32Array, code: number | undefined, isBackwards: boolean) => {
    const { length } = order
    for (let i = 0; i < length; i += 1) {
      const index = order[isBackwards ? length - 1 - i : i] ?? 0
      if (code !== undefined && columns.status[index] !== code) continue
      if (from !== undefined && columns.from[index] !== from) continue
      if (isFound !== undefined && isFound[index] === 0) continue
      rows[count] = index
      count += 1
    }
  }

  const filter = query.status === 'all' ? undefined : codeOf[query.status]
  if (sort !== 'status') take(orders[sort], filter, isDescending)
  else {
    const codes = isDescending ? allCodes.toReversed() : allCodes
    // Within a status the order is by label, in both directions.
    for (const code of codes)
      if (filter === undefined || filter === code) take(orders.label, code, false)
  }
  return rows.subarray(0, count)
}

/** As in the columns; -1 for a neighbour that has none of these nodes. */
function fromCode({ neighbours }: NodeColumns, from: From): number | undefined {
  if (from === 'all') return undefined
  if (from === 'here') return 0
  return neighbours.findIndex(({ id }) => id === from) + 1 || -1
}

/** Has a 1 for each node whose label or id contains the text; undefined if there is no search. */
function findInTexts({ columns, searchable }: Listing, search: string): Uint8Array | undefined {
  const text = search.trim()
  if (text === '') return undefined
  const isFound = new Uint8Array(columns.count)
  markOwners(searchable, searchText(text), isFound)
  markOwners(columns.ids, text.toLowerCase(), isFound)
  return isFound
}

/** Searches the concatenated texts and ignores matches that span two of them. */
function markOwners({ text, ends }: TextColumn, wanted: string, marks: Uint8Array): void {
  // The search may consist of accents only, which leaves nothing after normalisation.
  if (wanted === '') return
  let owner = 0
  let at = text.indexOf(wanted)
  while (at !== -1) {
    while ((ends[owner] ?? text.length) <= at) owner += 1
    const end = ends[owner] ?? text.length
    const isWithin = at + wanted.length <= end
    if (isWithin) marks[owner] = 1
    at = text.indexOf(wanted, isWithin ? end : at + 1)
  }
}
