import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Minus, Plus, RotateCcw } from 'lucide-react'
import { type ViewControl, ViewControls } from '../view-controls.tsx'
import type { GlobeAction } from './globe-action.ts'

interface GlobeControlsProps {
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly onAction: (action: GlobeAction) => void
}

const turns: readonly ViewControl<GlobeAction>[] = [
  { action: 'turn-west', name: 'Turn west', Icon: ArrowLeft },
  { action: 'turn-north', name: 'Turn north', Icon: ArrowUp },
  { action: 'turn-south', name: 'Turn south', Icon: ArrowDown },
  { action: 'turn-east', name: 'Turn east', Icon: ArrowRight },
]
const reset: ViewControl<GlobeAction> = { action: 'reset', name: 'Reset the view', Icon: RotateCcw }

export function GlobeControls({ canZoomIn, canZoomOut, onAction }: GlobeControlsProps) {
  const zooms: readonly ViewControl<GlobeAction>[] = [
    { action: 'zoom-out', name: 'Zoom out', Icon: Minus, isPossible: canZoomOut },
    { action: 'zoom-in', name: 'Zoom in', Icon: Plus, isPossible: canZoomIn },
  ]
  return <ViewControls label="Turn and zoom" groups={[turns, zooms, [reset]]} onAction={onAction} />
}
