import { type NodeColumns, type NodeNeighbour, packColumns } from '../node-columns.ts'

interface PlacedNode {
  readonly latDeg: number
  readonly lonDeg: number
  /** One of statusCodes. */
  readonly status: number
  readonly label?: string
  readonly isPrivate?: boolean
  readonly neighbour?: NodeNeighbour
}

/** Another installation, for nodes of its own. */
export const reefSky: NodeNeighbour = {
  id: 'reef',
  name: 'Reef Sky',
  address: 'https://reef.example',
  colour: 1,
}

/** Nodes for tests, with the ids node-0, node-1 and so on. */
export function nodesAt(nodes: readonly PlacedNode[]): NodeColumns {
  return packColumns(
    nodes.map((node, index) => ({ label: '', link: '', id: `node-${index}`, ...node })),
  )
}
