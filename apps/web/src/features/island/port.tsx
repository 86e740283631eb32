import type { IslandView } from '@astropelago/contract/islands'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { islandPortQuery } from '../../islands/island-port-query.ts'
import { ErrorLine } from '../../ui/error-line.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { PortAddress, PortBlockedNote } from '../../islands/port-address.tsx'

/** The address for games and other programs, if the island has a port and the viewer may enter. */
export function Port({ island: { id, role } }: { island: Pick<IslandView, 'id' | 'role'> }) {
  const labelId = useId()
  const { data: port, isError, isFetching, refetch } = useQuery(islandPortQuery(id))
  if (port === undefined) {
    return isError ? (
      <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
        The address for games could not be loaded.
      </ErrorLine>
    ) : null
  }
  const { address, letIn, own } = port
  if (address === null) return null
  return (
    <section
      aria-labelledby={labelId}
      className="flex w-full min-w-0 flex-col gap-2 border-t border-line pt-3"
    >
      <h2 id={labelId} className="text-sm font-medium">
        For games and other programs
      </h2>
      <PortAddress address={address} />
      {letIn !== null && (
        <p className="text-sm text-muted">
          You can connect from your network,{' '}
          <bdi dir="ltr" className="font-mono wrap-anywhere">
            {letIn.network}
          </bdi>
          , until <LocalTime at={letIn.until} />. After that, or on another network, open this page
          again first.
        </p>
      )}
      {role === 'host' && own !== null && !own.isListening && <PortBlockedNote />}
    </section>
  )
}
