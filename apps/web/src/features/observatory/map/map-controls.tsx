import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Globe2, Minus, Plus } from 'lucide-react'
import { type ViewControl, ViewControls } from '../view-controls.tsx'
import type { MapAction } from './map-action.ts'

interface MapControlsProps {
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly onAction: (action: MapAction) => void
}

const moves: readonly ViewControl<MapAction>[] = [
  { action: 'west', name: 'Move map west', Icon: ArrowLeft },
  { action: 'north', name: 'Move map north', Icon: ArrowUp },
  { action: 'south', name: 'Move map south', Icon: ArrowDown },
  { action: 'east', name: 'Move map east', Icon: ArrowRight },
]
const world: ViewControl<MapAction> = {
  action: 'whole-world',
  name: 'Show the whole world',
  Icon: Globe2,
}

export function MapControls({ canZoomIn, canZoomOut, onAction }: MapControlsProps) {
  const zooms: readonly ViewControl<MapAction>[] = [
    { action: 'zoom-out', name: 'Zoom map out', Icon: Minus, isPossible: canZoomOut },
    { action: 'zoom-in', name: 'Zoom map in', Icon: Plus, isPossible: canZoomIn },
  ]
  return (
    <ViewControls
      label="Move and zoom the map"
      groups={[moves, zooms, [world]]}
      onAction={onAction}
    />
  )
}
