import { searchText } from '../../../lib/search-text.ts'
import type { Listing } from '../nodes/index-listing.ts'
import { statusCodes, type TextColumn } from '../nodes/node-columns.ts'
import type { NodeQuery, StatusFilter } from './node-query.ts'

const codeOf: Readonly<Record<Exclude<StatusFilter, 'all'>, number>> = {
  online: statusCodes.online,
  offline: statusCodes.offline,
  unknown: statusCodes.other,
}
/** In the order of a list sorted by status. */
const allCodes = [statusCodes.online, statusCodes.offline, statusCodes.other]

/**
 * The indexes of the nodes that a query shows, in its order. It compares no two nodes: the orders are
 * prepared, so that each key typed costs one pass, about 3 ms for 100,000 nodes.
 */
export function selectRows(listing: Listing, query: NodeQuery): Uint32Array {
  const { columns, orders } = listing
  const { sort, isDescending } = query
  const isFound = findInTexts(listing, query.search)
  const rows = new Uint32Array(columns.count)
  let count = 0

  const take = (order: Uint32Array, code: number | undefined, isBackwards: boolean) => {
    const { length } = order
    for (let i = 0; i < length; i += 1) {
      const index = order[isBackwards ? length - 1 - i : i] ?? 0
      if (code !== undefined && columns.status[index] !== code) continue
      if (isFound !== undefined && isFound[index] === 0) continue
      rows[count] = index
      count += 1
    }
  }

  const filter = query.status === 'all' ? undefined : codeOf[query.status]
  if (sort !== 'status') take(orders[sort], filter, isDescending)
  else {
    const codes = isDescending ? allCodes.toReversed() : allCodes
    // Within a status by label, whichever way the statuses go.
    for (const code of codes)
      if (filter === undefined || filter === code) take(orders.label, code, false)
  }
  return rows.subarray(0, count)
}

/** A 1 for each node whose label or id holds the text; undefined where there is nothing to look for. */
function findInTexts({ columns, searchable }: Listing, search: string): Uint8Array | undefined {
  const text = search.trim()
  if (text === '') return undefined
  const isFound = new Uint8Array(columns.count)
  markOwners(searchable, searchText(text), isFound)
  markOwners(columns.ids, text.toLowerCase(), isFound)
  return isFound
}

/** Searches all texts as the one that they are, and leaves out what spans two of them. */
function markOwners({ text, ends }: TextColumn, wanted: string, marks: Uint8Array): void {
  // All that was typed can be an accent, of which nothing is left.
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
