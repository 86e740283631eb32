import { Earth, Orbit } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'

interface ViewButtonProps {
  readonly view: 'sky' | 'earth'
  readonly onToggle: () => void
}

/** Leads to the other view. One button, so that the focus stays on it. */
export function ViewButton({ view, onToggle }: ViewButtonProps) {
  const isEarth = view === 'earth'
  return (
    <div className="pointer-events-none absolute top-3 left-3 flex items-center gap-3">
      <Button variant="outline" size="sm" onClick={onToggle} className="pointer-events-auto">
        {isEarth ? <Orbit aria-hidden /> : <Earth aria-hidden />}
        {isEarth ? 'Sky view' : 'Earth view'}
      </Button>
      {isEarth && (
        <span className="text-xs text-muted pointer-coarse:hidden">
          or press{' '}
          <kbd className="rounded-mark border border-line-strong px-1.5 py-0.5 font-sans">Esc</kbd>
        </span>
      )}
    </div>
  )
}
