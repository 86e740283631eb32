import { useEffect } from 'react'
import { useLiveNeighbours, useNeighbours } from '../../../neighbours/use-neighbours.ts'
import type { NodeSource } from './node-source.ts'

/** Shows the devices of the neighbours that the user wants to see, and returns these. */
export function useNeighbourNodes(source: NodeSource) {
  const { shown } = useNeighbours()
  useLiveNeighbours()
  useEffect(() => source.setNeighbours(shown), [source, shown])
  return shown
}
