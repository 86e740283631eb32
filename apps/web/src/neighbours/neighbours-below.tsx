import { t } from '@lingui/core/macro'
import { OnDemandPanel } from '../ui/on-demand-panel.tsx'
import type { NeighbourIslandFilter } from './neighbour-islands-query.ts'
import { idsOf, knownFrom, useLiveNeighbours, useNeighbours } from './use-neighbours.ts'

const fetchIslands = async () => (await import('./neighbour-islands.tsx')).NeighbourIslands

interface NeighboursBelowProps {
  readonly title: string
  /** 'all', 'here' or a neighbour's id. */
  readonly from: string
  readonly filter: Omit<NeighbourIslandFilter, 'of'>
}

/** The islands of neighbours, below this installation's. Nothing if there are no neighbours. */
export function NeighboursBelow({ title, from, filter }: NeighboursBelowProps) {
  const { shown } = useNeighbours()
  useLiveNeighbours()
  const of = idsOf(shown, knownFrom(from, shown))
  if (of.length === 0) return null
  return (
    <OnDemandPanel
      what={t`The islands of neighbours`}
      fetchPanel={fetchIslands}
      panelProps={{ title, filter: { ...filter, of } }}
      skeleton={null}
    />
  )
}
