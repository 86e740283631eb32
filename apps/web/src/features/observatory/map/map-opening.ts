import type { NodeStore } from '../nodes/node-store.ts'
import { textAt } from '../nodes/node-columns.ts'
import { clampedZoom, type MapCamera, maxZoom, worldSizePx } from './map-camera.ts'
import { type MapMarker, nodesOf } from './map-marker.ts'
import { markerMembers } from './marker-members.ts'
import type { MarkerScene } from './marker-scene.ts'
import { geoPoint, type WorldPoint } from './mercator.ts'
import { worldPositions } from './world-positions.ts'

/** What opening a marker leads to: a node, the nodes of one spot, or a closer look. */
export type Opening =
  | { readonly kind: 'node'; readonly id: string }
  | {
      readonly kind: 'spot'
      readonly ids: readonly string[]
      readonly total: number
      readonly at: WorldPoint
    }
  | { readonly kind: 'closer'; readonly camera: MapCamera }

/** More than anyone reads here; the list below has them all. */
export const mostListed = 50

/** Nodes that lie within this at the closest zoom can't be told apart by zooming. */
const onePlacePx = 12
/** How much of the picture a group fills when it is zoomed to. */
const fillShare = 0.6

export function openMarker(marker: MapMarker, scene: MarkerScene, store: NodeStore): Opening {
  const { columns } = store
  if (nodesOf(marker) === 1) return { kind: 'node', id: textAt(columns.ids, marker.firstIndex) }

  const members = markerMembers(marker, worldPositions(columns), scene.grid, mostListed)
  const width = members.east - members.west
  const height = members.south - members.north
  const middle = { x: (members.east + members.west) / 2, y: (members.south + members.north) / 2 }
  const isOnePlace = Math.max(width, height) * worldSizePx(maxZoom) < onePlacePx
  if (isOnePlace || scene.camera.zoom >= maxZoom) {
    return {
      kind: 'spot',
      ids: members.indexes.map((index) => textAt(columns.ids, index)),
      total: nodesOf(marker),
      at: marker,
    }
  }
  const { widthPx, heightPx } = scene.size
  const fitting = Math.min(
    Math.log2((widthPx * fillShare) / (Math.max(width, 1e-9) * worldSizePx(0))),
    Math.log2((heightPx * fillShare) / (Math.max(height, 1e-9) * worldSizePx(0))),
  )
  // At least a level closer, so that every press leads somewhere.
  const zoom = clampedZoom(Math.max(scene.camera.zoom + 1, fitting))
  return { kind: 'closer', camera: { ...geoPoint(middle), zoom } }
}
