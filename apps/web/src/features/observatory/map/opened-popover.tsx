import { useEffect, useLayoutEffect, useRef } from 'react'
import { findNode } from '../nodes/find-node.ts'
import { MapPopover } from './map-popover.tsx'
import type { MapView } from './map-view.ts'
import { type MarkerScene, nodeName, scenePixel } from './marker-scene.ts'
import { worldPoint } from './mercator.ts'
import { NodeFacts } from './node-facts.tsx'
import { popoverCorner } from './popover-corner.ts'
import { SpotList } from './spot-list.tsx'
import type { Opened, useOpened } from './use-opened.ts'

interface OpenedPopoverProps {
  readonly opened: Opened
  readonly view: MapView
  readonly scene: MarkerScene
  readonly actions: Pick<ReturnType<typeof useOpened>, 'openNode' | 'backTo'>
  readonly onClose: () => void
}

/** The node or the list that is open, beside its place, wherever the map moves that. */
export function OpenedPopover({ opened, view, scene, actions, onClose }: OpenedPopoverProps) {
  const box = useRef<HTMLDialogElement>(null)
  const { columns } = scene
  const index = opened.kind === 'node' ? findNode(columns, opened.id) : undefined
  const latDeg = index === undefined ? undefined : columns.latDeg[index]
  const lonDeg = index === undefined ? undefined : columns.lonDeg[index]

  useLayoutEffect(() => {
    const place = () => {
      const element = box.current
      if (element === null) return
      const point =
        latDeg === undefined || lonDeg === undefined ? opened.spot?.at : worldPoint(latDeg, lonDeg)
      if (point === undefined) return
      const at = scenePixel(scene, view.camera, point)
      const sizes = { widthPx: element.offsetWidth, heightPx: element.offsetHeight }
      const { xPx, yPx } = popoverCorner(at, sizes, view.size)
      element.style.transform = `translate(${xPx}px, ${yPx}px)`
    }
    place()
    return view.subscribe(place)
  }, [view, scene, opened, latDeg, lonDeg])

  useEffect(() => {
    box.current?.focus({ preventScroll: true })
  }, [])

  if (opened.kind === 'spot') {
    const { spot } = opened
    return (
      <MapPopover
        ref={box}
        title={`${spot.total.toLocaleString('en')} devices here`}
        onClose={onClose}
        onBack={undefined}
      >
        <SpotList
          columns={columns}
          ids={spot.ids}
          total={spot.total}
          onChoose={(id) => actions.openNode(id, spot)}
        />
      </MapPopover>
    )
  }
  // It may have been deleted meanwhile.
  if (index === undefined) return null
  const { spot } = opened
  return (
    <MapPopover
      ref={box}
      title={nodeName(columns, index)}
      onClose={onClose}
      onBack={spot && (() => actions.backTo(spot))}
    >
      <NodeFacts columns={columns} index={index} />
    </MapPopover>
  )
}
