import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Globe2,
  type LucideIcon,
  Minus,
  Plus,
} from 'lucide-react'
import type { MapAction } from './map-action.ts'

interface MapControlsProps {
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly onAction: (action: MapAction) => void
}

interface Control {
  readonly action: MapAction
  readonly name: string
  readonly Icon: LucideIcon
}

const moves: readonly Control[] = [
  { action: 'west', name: 'Move map west', Icon: ArrowLeft },
  { action: 'north', name: 'Move map north', Icon: ArrowUp },
  { action: 'south', name: 'Move map south', Icon: ArrowDown },
  { action: 'east', name: 'Move map east', Icon: ArrowRight },
]
const zoomOut: Control = { action: 'zoom-out', name: 'Zoom map out', Icon: Minus }
const zoomIn: Control = { action: 'zoom-in', name: 'Zoom map in', Icon: Plus }
const world: Control = { action: 'whole-world', name: 'Show the whole world', Icon: Globe2 }

/** All that a drag, a wheel and a pinch do, without any of them (WCAG 2.5.7). */
export function MapControls({ canZoomIn, canZoomOut, onAction }: MapControlsProps) {
  const button = ({ action, name, Icon }: Control, isPossible = true) => (
    <button
      key={action}
      type="button"
      aria-label={name}
      title={name}
      // Not disabled: a button that loses the focus with the last step would lose the keyboard's place.
      aria-disabled={!isPossible || undefined}
      onClick={() => isPossible && onAction(action)}
      className="inline-flex size-9 items-center justify-center rounded-control text-muted transition-colors hover:bg-hover hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40 [&_svg]:size-4"
    >
      <Icon aria-hidden />
    </button>
  )
  return (
    <fieldset
      aria-label="Move and zoom the map"
      className="absolute bottom-3 left-3 flex items-center rounded-control border border-line-strong bg-panel/95"
    >
      {moves.map((control) => button(control))}
      <span aria-hidden className="mx-0.5 h-5 w-px bg-line-strong" />
      {button(zoomOut, canZoomOut)}
      {button(zoomIn, canZoomIn)}
      <span aria-hidden className="mx-0.5 h-5 w-px bg-line-strong" />
      {button(world)}
    </fieldset>
  )
}
