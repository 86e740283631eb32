import { useEffect, useState } from 'react'
import { NodeCard } from '../nodes/node-card.tsx'
import { findNode } from '../nodes/node-columns.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import { usePlacedBeside } from './map-popover.tsx'
import type { MapView } from './map-view.ts'
import type { MarkerScene } from './marker-scene.ts'
import { worldPoint } from './mercator.ts'

/** Delay, so that a mouse that crosses a hundred markers opens no cards and sends no requests. */
const dwellMs = 180

/** The node whose marker the mouse or the focus stays on. Call `pointAt` when either moves. */
export function usePointedNode() {
  const [pointedId, pointAt] = useState<string>()
  const [dwelledId, setDwelledId] = useState<string>()
  useEffect(() => {
    if (pointedId === undefined) return undefined
    const timer = setTimeout(() => setDwelledId(pointedId), dwellMs)
    return () => clearTimeout(timer)
  }, [pointedId])
  return { pointedId: dwelledId === pointedId ? pointedId : undefined, pointAt }
}

interface PointedCardProps {
  readonly id: string
  readonly view: MapView
  readonly scene: MarkerScene
}

/** A node's card. It stays next to its marker while the map moves. */
export function PointedCard({ id, view, scene }: PointedCardProps) {
  const index = findNode(scene.columns, id)
  const node = index === undefined ? undefined : summarizeNode(scene.columns, index)
  const box = usePlacedBeside<HTMLDivElement>(node && worldPoint(node), view, scene)
  if (node === undefined) return null
  return (
    // The marker has already announced this node to screen readers. This announces the details as they
    // load.
    <div
      ref={box}
      aria-live="polite"
      data-card
      className="pointer-events-none absolute top-0 left-0 z-10 w-[240px] max-w-[calc(100%-16px)] animate-appear rounded-control border border-line-strong bg-panel shadow-raised"
    >
      <NodeCard node={node} />
    </div>
  )
}
