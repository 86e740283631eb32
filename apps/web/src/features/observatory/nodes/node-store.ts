import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../../lib/emitter.ts'
import { type NodeColumns, noNodes, statusCodes } from './node-columns.ts'

/** With `replaced`, every index may mean a different node. With `statuses`, these nodes changed status. */
export type NodeChange =
  | { readonly kind: 'replaced' }
  | { readonly kind: 'statuses'; readonly indexes: Uint32Array }

/** Nodes to draw. React only sees the version, never the nodes. */
export interface NodeStore {
  readonly columns: NodeColumns
  /** Grows with every change; 0 before the first nodes. */
  readonly version: number
  /** Whether a search or a filter may have left nodes out. */
  readonly isFiltered: boolean
  readonly subscribe: (listener: (change: NodeChange) => void) => () => void
}

export interface WritableNodeStore extends NodeStore {
  readonly counts: ReturnType<typeof countsOf>
  replace(columns: NodeColumns): void
  setStatuses(indexes: Uint32Array, statuses: Uint8Array): void
}

export function createNodeStore(): WritableNodeStore {
  const changes = createEmitter<NodeChange>()
  let columns = noNodes
  let tallies = tallyStatuses(noNodes)
  let counts = countsOf(tallies)
  let version = 0

  const publish = (change: NodeChange) => {
    version += 1
    counts = countsOf(tallies)
    changes.emit(change)
  }

  return {
    get columns() {
      return columns
    },
    get counts() {
      return counts
    },
    get version() {
      return version
    },
    isFiltered: false,
    replace(next) {
      columns = next
      tallies = tallyStatuses(next)
      publish({ kind: 'replaced' })
    },
    setStatuses(indexes, statuses) {
      for (let i = 0; i < indexes.length; i++) {
        const index = indexes[i]
        const status = statuses[i]
        if (index === undefined || status === undefined) continue
        const before = columns.status[index]
        if (before === undefined) continue
        // A full count takes 2 ms for 100,000 nodes. A change to one in a hundred has 0.5 ms.
        columns.status[index] = status
        if (columns.from[index] !== 0) continue
        tallies[before] = (tallies[before] ?? 0) - 1
        tallies[status] = (tallies[status] ?? 0) + 1
      }
      publish({ kind: 'statuses', indexes })
    },
    subscribe: changes.on,
  }
}

/** Of this installation's nodes. Its counts leave out neighbours. */
function tallyStatuses({ status, from }: NodeColumns): Uint32Array {
  const tallies = new Uint32Array(Object.keys(statusCodes).length)
  // By index, because an iterator is ten times slower until the loop is compiled.
  for (let i = 0; i < status.length; i++) {
    if (from[i] !== 0) continue
    const code = status[i] ?? statusCodes.other
    tallies[code] = (tallies[code] ?? 0) + 1
  }
  return tallies
}

function countsOf(tallies: Uint32Array) {
  return {
    online: tallies[statusCodes.online] ?? 0,
    offline: tallies[statusCodes.offline] ?? 0,
    other: tallies[statusCodes.other] ?? 0,
  }
}

export function useNodeCounts(store: WritableNodeStore) {
  return useSyncExternalStore(store.subscribe, () => store.counts)
}

export function useNodeVersion(store: NodeStore): number {
  return useSyncExternalStore(store.subscribe, () => store.version)
}
