import { nodeLook, type NodeLook } from '../globe/node-look.ts'
import { minZoom } from './map-camera.ts'

/** So many marks on the whole world add up to a glow; fainter ones let its middle stand out. */
const glowingNodes = 5000

/** The globe's marks. Each zoom level spreads the nodes over four times the room: they may grow. */
export function mapNodeLook(nodes: number, zoom: number): NodeLook {
  const crowd = nodes / 4 ** (zoom - minZoom)
  const faintness = Math.max(0.45, Math.min(1, (glowingNodes / Math.max(1, crowd)) ** 0.3))
  const [other, offline, online] = nodeLook(crowd, 1, 0)
  return [
    { ...other, alpha: other.alpha * faintness },
    { ...offline, alpha: offline.alpha * faintness },
    { ...online, alpha: online.alpha * faintness },
  ]
}
