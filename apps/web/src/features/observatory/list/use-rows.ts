import { useMemo } from 'react'
import type { Listing } from '../nodes/index-listing.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { useNodeVersion } from '../nodes/use-node-store.ts'
import type { ListQuery } from './list-query.ts'
import { selectRows } from './select-rows.ts'

const noRows = new Uint32Array(0)

/** The indexes of the rows to show, selected anew when the query, the nodes or a status changes. */
export function useRows(
  store: NodeStore,
  listing: Listing | undefined,
  query: ListQuery,
): Uint32Array {
  const version = useNodeVersion(store)
  return useMemo(() => selectedAt(version, listing, query), [version, listing, query])
}

// Statuses change in place: the version stands for them.
function selectedAt(_version: number, listing: Listing | undefined, query: ListQuery): Uint32Array {
  return listing === undefined ? noRows : selectRows(listing, query)
}
