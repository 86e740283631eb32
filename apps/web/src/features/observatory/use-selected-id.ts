import { useSyncExternalStore } from 'react'
import type { Attention } from './attention.ts'

/** The node that the visitor has selected, followed as that changes. */
export function useSelectedId(attention: Attention): string | undefined {
  return useSyncExternalStore(attention.subscribe, () => attention.selectedId)
}
