import { useCallback, useSyncExternalStore } from 'react'
import type { NodeCounts, NodeStore } from './node-store.ts'

/** How many nodes have each status, followed as they change. */
export function useNodeCounts(store: NodeStore): NodeCounts {
  return useFollowed(store, () => store.counts)
}

/** A number that grows with every change of the nodes, to redraw or recompute by. */
export function useNodeVersion(store: NodeStore): number {
  return useFollowed(store, () => store.version)
}

function useFollowed<T>(store: NodeStore, read: () => T): T {
  const subscribe = useCallback((listener: () => void) => store.subscribe(listener), [store])
  return useSyncExternalStore(subscribe, read)
}
