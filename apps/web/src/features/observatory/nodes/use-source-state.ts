import { useSyncExternalStore } from 'react'
import type { NodeSource, SourceState } from './node-source.ts'

/** How the loading of the nodes goes, followed as it changes. */
export function useSourceState(source: NodeSource): SourceState {
  return useSyncExternalStore(source.subscribe, () => source.state)
}
