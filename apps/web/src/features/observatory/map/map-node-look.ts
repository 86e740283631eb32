import { nodeLook, type NodeLook } from '../globe/node-look.ts'
import { minZoom } from './map-camera.ts'

/** The globe's marks. Each zoom level spreads the nodes over four times the room: they may grow. */
export function mapNodeLook(nodes: number, zoom: number): NodeLook {
  return nodeLook(nodes / 4 ** (zoom - minZoom), 1, 0)
}
