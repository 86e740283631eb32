import type { NodeStore } from '../nodes/node-store.ts'
import { useNodeVersion } from '../nodes/use-node-store.ts'

interface MapCaptionProps {
  readonly store: NodeStore
  readonly credit: string | undefined
}

/** Whose map it is, and what there is to wait for. */
export function MapCaption({ store, credit }: MapCaptionProps) {
  const version = useNodeVersion(store)
  return (
    <p className="pointer-events-none absolute right-2 bottom-2 mb-12 flex flex-col items-end gap-0.5 rounded-mark bg-ground/75 px-1.5 py-0.5 text-right text-xs text-muted sm:mb-0">
      {version === 0 && <span>Looking for devices…</span>}
      {version > 0 && store.columns.count === 0 && <span>No public device is out there yet.</span>}
      {credit !== undefined && <span>{credit}</span>}
    </p>
  )
}
