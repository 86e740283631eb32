import { TriangleAlert } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { MapState } from './use-map-view.ts'

interface MapNotReadyProps {
  readonly state: MapState
  readonly onRetry: () => void
}

/** Over the map's place: that it is on its way, or why it is not there. */
export function MapNotReady({ state, onRetry }: MapNotReadyProps) {
  return (
    <div className="absolute inset-0 grid place-items-center bg-ground p-6">
      {state.step === 'failed' ? (
        <div className="flex max-w-md flex-col items-center gap-4 rounded-control border border-danger/40 bg-danger-soft px-5 py-4">
          <p role="alert" className="flex items-start gap-2 text-sm text-danger">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">{state.message}</span>
          </p>
          <Button variant="outline" size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : (
        <output className="flex items-center gap-2 text-sm text-muted">
          <Spinner />
          Drawing the map…
        </output>
      )}
    </div>
  )
}
