import type { ReactNode } from 'react'
import { LiveRegion } from '../ui/live-region.tsx'
import { OutsideCheckLine } from './outside-check-line.tsx'
import { conditionTitle, RelayConditionNote } from './relay-condition-note.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { failureText } from '../lib/failure-text.ts'
import { useRelayedState } from './use-relayed-state.ts'

interface RelayedStatusProps {
  islandId: string
  /** Where visitors enter; null if the server has no relay. */
  address: string | null
  /** Actions for the host while no agent is connected. */
  children?: ReactNode
}

/** The live state of a relayed island and its reachability from outside, for its host only. */
export function RelayedStatus({ islandId, address, children }: RelayedStatusProps) {
  const { query, state, outside, checking } = useRelayedState(islandId)
  if (state === undefined) {
    return query.isPending ? (
      <Skeleton className="h-24 w-full rounded-control" />
    ) : (
      <ErrorLine busy={query.isFetching} onRetry={() => void query.refetch()}>
        The state of the relay could not be loaded.
      </ErrorLine>
    )
  }
  const { condition, visits } = state
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <RelayConditionNote condition={condition} visits={visits}>
        {condition.state === 'gone' && children}
      </RelayConditionNote>
      {address !== null && condition.state !== 'off' && condition.state !== 'stopped' && (
        <OutsideCheckLine
          address={address}
          check={outside}
          isBusy={checking.isPending}
          failure={failureText(checking.error)}
          onCheck={() => checking.mutate()}
        />
      )}
      {query.isError && (
        <ErrorLine busy={query.isFetching} onRetry={() => void query.refetch()}>
          This could not be updated, so it may be out of date.
        </ErrorLine>
      )}
      <LiveRegion>{`${conditionTitle(condition)}.`}</LiveRegion>
    </div>
  )
}
