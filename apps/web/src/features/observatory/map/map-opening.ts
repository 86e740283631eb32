import { useEffect, useRef, useState } from 'react'
import { textAt } from '../nodes/node-columns.ts'
import { summaryOf } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { type Selection, useSelectedId } from '../selection.ts'
import {
  cameraOnSight,
  clampedZoom,
  type MapCamera,
  maxZoom,
  placeAt,
  type WorldPoint,
  worldSizePx,
} from './map-camera.ts'
import { type MapView, wantedMotion } from './map-view.ts'
import { type MapMarker, markerMembers, nodesOf, ownNodesOf } from './marker-cells.ts'
import type { MarkerScene } from './marker-scene.ts'

type Opening =
  | { readonly kind: 'node'; readonly id: string }
  | {
      readonly kind: 'spot'
      readonly ids: readonly string[]
      readonly total: number
      /** How many of them are this installation's. */
      readonly own: number
      readonly at: WorldPoint
    }
  | { readonly kind: 'closer'; readonly camera: MapCamera }

/** More than anybody reads here. The device list has all of them. */
export const mostListed = 50

/** Nodes within this distance at the greatest zoom can't be separated by zooming. */
const onePlacePx = 12
const fillShare = 0.6

export function openMarker(marker: MapMarker, scene: MarkerScene, store: NodeStore): Opening {
  const { columns } = store
  if (nodesOf(marker) === 1) return { kind: 'node', id: textAt(columns.ids, marker.firstIndex) }

  const members = markerMembers(marker, columns, scene.grid, mostListed)
  const width = members.east - members.west
  const height = members.south - members.north
  const middle = { x: (members.east + members.west) / 2, y: (members.south + members.north) / 2 }
  const isOnePlace = Math.max(width, height) * worldSizePx(maxZoom) < onePlacePx
  if (isOnePlace || scene.camera.zoom >= maxZoom) {
    return {
      kind: 'spot',
      ids: members.indexes.map((index) => textAt(columns.ids, index)),
      total: nodesOf(marker),
      own: ownNodesOf(marker),
      at: marker,
    }
  }
  const { widthPx, heightPx } = scene.size
  const fitting = Math.min(
    Math.log2((widthPx * fillShare) / (Math.max(width, 1e-9) * worldSizePx(0))),
    Math.log2((heightPx * fillShare) / (Math.max(height, 1e-9) * worldSizePx(0))),
  )
  // At least one level closer, so that every press has an effect.
  const zoom = clampedZoom(Math.max(scene.camera.zoom + 1, fitting))
  return { kind: 'closer', camera: { ...placeAt(middle), zoom } }
}

type Spot = Extract<Opening, { kind: 'spot' }>

export type Opened =
  | { readonly kind: 'spot'; readonly spot: Spot }
  | { readonly kind: 'node'; readonly id: string; readonly spot: Spot | undefined }

const spanDeg = 60

/** What is open on the map, in step with the selection shared with the globe and the list. */
export function useOpened(view: MapView | undefined, store: NodeStore, selection: Selection) {
  const [opened, setOpened] = useState<Opened>()
  const selectedId = useSelectedId(selection)
  const isOwnSight = useRef(false)

  useEffect(
    () =>
      selection.onSight((sight) => {
        // Only the globe follows a selection made here; on the map the node is already in view.
        if (isOwnSight.current || view === undefined) return
        view.setCamera(cameraOnSight(sight, view.size), wantedMotion('flight'))
      }),
    [selection, view],
  )

  const openNode = (id: string, spot: Spot | undefined) => {
    const node = summaryOf(store.columns, id)
    if (node === undefined) return
    isOwnSight.current = true
    selection.select(id, { latDeg: node.latDeg, lonDeg: node.lonDeg, spanDeg })
    isOwnSight.current = false
    setOpened({ kind: 'node', id, spot })
  }

  const open = (marker: MapMarker, scene: MarkerScene) => {
    const opening = openMarker(marker, scene, store)
    if (opening.kind === 'node') {
      openNode(opening.id, undefined)
    } else if (opening.kind === 'spot') {
      setOpened({ kind: 'spot', spot: opening })
    } else {
      setOpened(undefined)
      view?.setCamera(opening.camera, wantedMotion('flight'))
    }
  }

  const backTo = (spot: Spot) => {
    selection.select(undefined)
    setOpened({ kind: 'spot', spot })
  }

  const close = () => {
    if (opened?.kind === 'node') selection.select(undefined)
    setOpened(undefined)
  }

  // A node is open only while it is selected.
  const isOutdated = opened?.kind === 'node' && opened.id !== selectedId
  return { opened: isOutdated ? undefined : opened, open, openNode, backTo, close }
}
