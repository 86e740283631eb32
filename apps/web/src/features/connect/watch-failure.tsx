import type { UseQueryResult } from '@tanstack/react-query'
import { ListFailure } from '../devices/list-failure.tsx'
import { isSignedOut } from '../devices/own-devices-query.ts'

/** Under the last known status, when the question about it got no answer. It needs no retry: it goes on. */
export function WatchFailure({ query }: { query: UseQueryResult }) {
  if (isSignedOut(query.error)) return <ListFailure query={query} of="devices" />
  return (
    <output className="text-sm text-muted">
      The server does not answer right now. This page keeps asking.
    </output>
  )
}
