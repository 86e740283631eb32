import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  type LucideIcon,
  Minus,
  Plus,
  RotateCcw,
} from 'lucide-react'
import type { GlobeAction } from './globe-action.ts'

interface GlobeControlsProps {
  readonly canZoomIn: boolean
  readonly canZoomOut: boolean
  readonly onAction: (action: GlobeAction) => void
}

interface Control {
  readonly action: GlobeAction
  readonly name: string
  readonly Icon: LucideIcon
}

const turns: readonly Control[] = [
  { action: 'turn-west', name: 'Turn west', Icon: ArrowLeft },
  { action: 'turn-north', name: 'Turn north', Icon: ArrowUp },
  { action: 'turn-south', name: 'Turn south', Icon: ArrowDown },
  { action: 'turn-east', name: 'Turn east', Icon: ArrowRight },
]
const zoomOut: Control = { action: 'zoom-out', name: 'Zoom out', Icon: Minus }
const zoomIn: Control = { action: 'zoom-in', name: 'Zoom in', Icon: Plus }
const reset: Control = { action: 'reset', name: 'Reset the view', Icon: RotateCcw }

/** All that a drag and a pinch do, without either (WCAG 2.5.7). */
export function GlobeControls({ canZoomIn, canZoomOut, onAction }: GlobeControlsProps) {
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
      aria-label="Turn and zoom"
      className="absolute bottom-3 left-3 flex items-center rounded-control border border-line-strong bg-panel/90"
    >
      {turns.map((control) => button(control))}
      <span aria-hidden className="mx-0.5 h-5 w-px bg-line-strong" />
      {button(zoomOut, canZoomOut)}
      {button(zoomIn, canZoomIn)}
      <span aria-hidden className="mx-0.5 h-5 w-px bg-line-strong" />
      {button(reset)}
    </fieldset>
  )
}
