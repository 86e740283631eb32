import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { type MapMarker, nodesOf } from './map-marker.ts'

/** The same for the same node, or for a group around the same node: its element then keeps the focus. */
export function markerKey(columns: NodeColumns, marker: MapMarker): string {
  const kind = nodesOf(marker) === 1 ? 'node' : 'group'
  return `${kind} ${textAt(columns.ids, marker.firstIndex)}`
}
