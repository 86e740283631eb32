import type { UseQueryResult } from '@tanstack/react-query'
import { ListFailure } from '../../lib/list-failure.tsx'
import { isSignedOut } from '../../lib/query-state.ts'

/**
 * Shown below the last known status if the last poll failed. It needs no retry button, because polling
 * continues.
 */
export function WatchFailure({ query }: { query: UseQueryResult }) {
  if (isSignedOut(query.error)) return <ListFailure query={query} of="devices" />
  return (
    <output className="text-sm text-muted">
      The server does not answer right now. This page keeps asking.
    </output>
  )
}
