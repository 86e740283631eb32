import { useEffect, useRef, useState } from 'react'
import type { Attention } from '../attention.ts'
import { findNode } from '../nodes/find-node.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { useSelectedId } from '../use-selected-id.ts'
import { cameraOnSight } from './map-camera.ts'
import type { MapMarker } from './map-marker.ts'
import { type Opening, openMarker } from './map-opening.ts'
import type { MapView } from './map-view.ts'
import type { MarkerScene } from './marker-scene.ts'
import { wantedMotion } from './wanted-motion.ts'

type Spot = Extract<Opening, { kind: 'spot' }>

/** What the popover shows. */
export type Opened =
  | { readonly kind: 'spot'; readonly spot: Spot }
  /** With the spot that it was chosen from, if it was. */
  | { readonly kind: 'node'; readonly id: string; readonly spot: Spot | undefined }

/** How much of the Earth the globe shows around a node that is selected here. */
const spanDeg = 60

/** What is open on the map, and the map's part in the attention that it shares with globe and list. */
export function useOpened(view: MapView | undefined, store: NodeStore, attention: Attention) {
  const [opened, setOpened] = useState<Opened>()
  const selectedId = useSelectedId(attention)
  const isOwnSight = useRef(false)

  useEffect(
    () =>
      attention.onSight((sight) => {
        // The others turn to what is selected here; here it is seen already.
        if (isOwnSight.current || view === undefined) return
        view.setCamera(cameraOnSight(sight, view.size), wantedMotion('flight'))
      }),
    [attention, view],
  )

  const openNode = (id: string, spot: Spot | undefined) => {
    const index = findNode(store.columns, id)
    if (index === undefined) return
    const { latDeg, lonDeg } = store.columns
    isOwnSight.current = true
    attention.select(id, { latDeg: latDeg[index] ?? 0, lonDeg: lonDeg[index] ?? 0, spanDeg })
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
    attention.select(undefined)
    setOpened({ kind: 'spot', spot })
  }

  const close = () => {
    if (opened?.kind === 'node') attention.select(undefined)
    setOpened(undefined)
  }

  // A node is open for as long as it is the selected one.
  const isOutdated = opened?.kind === 'node' && opened.id !== selectedId
  return { opened: isOutdated ? undefined : opened, open, openNode, backTo, close }
}
