import type { NodeStore } from '../nodes/node-store.ts'
import { useNodeVersion } from '../nodes/use-node-store.ts'

interface GlobeCaptionProps {
  readonly store: NodeStore
  readonly view: 'sky' | 'earth'
}

/** ⌘ where that is the key beside the space bar. */
const zoomKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** What can be done here, or what there is to wait for. */
export function GlobeCaption({ store, view }: GlobeCaptionProps) {
  const version = useNodeVersion(store)
  const isEmpty = version > 0 && store.columns.count === 0
  return (
    <p className="pointer-events-none absolute right-3 bottom-3 left-3 pb-11 text-right text-xs text-muted sm:pb-0">
      {version === 0 && 'Looking for devices…'}
      {isEmpty && 'No public device is out there yet.'}
      {version > 0 && !isEmpty && (
        <span className="hidden pointer-fine:sm:inline">
          {view === 'earth'
            ? `Drag to turn, ${zoomKey} + wheel to zoom`
            : 'Click the planet to go down'}
        </span>
      )}
    </p>
  )
}
