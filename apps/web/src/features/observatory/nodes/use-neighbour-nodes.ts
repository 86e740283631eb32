import { useEffect, useRef } from 'react'
import { useLiveNeighbours, useNeighbours } from '../../../neighbours/use-neighbours.ts'
import type { NodeNeighbour } from './node-columns.ts'
import type { NodeSource } from './node-source.ts'

/** Shows the devices of the neighbours that the user wants to see, and returns these. */
export function useNeighbourNodes(source: NodeSource) {
  const { shown } = useNeighbours()
  useLiveNeighbours()
  const neighbours = useRef<readonly NodeNeighbour[]>([])
  useEffect(() => {
    const next = shown.map(({ id, name, address, colour }) => ({ id, name, address, colour }))
    // A neighbour whose counts changed is the same to its nodes, of which there may be 100,000.
    if (JSON.stringify(next) === JSON.stringify(neighbours.current)) return
    neighbours.current = next
    source.setNeighbours(next)
  }, [source, shown])
  return shown
}
