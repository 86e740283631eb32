import { noNodes, type NodeColumns, statusCodes } from './node-columns.ts'

export interface NodeCounts {
  readonly online: number
  readonly offline: number
  readonly other: number
}

/** Either every index means another node now, or these nodes have another status. */
export type NodeChange =
  | { readonly kind: 'replaced' }
  | { readonly kind: 'statuses'; readonly indexes: Uint32Array }

export interface NodeStore {
  readonly columns: NodeColumns
  readonly counts: NodeCounts
  /** Grows with every change. */
  readonly version: number
  replace(columns: NodeColumns): void
  /** The status of each of these nodes, of statusCodes. */
  setStatuses(indexes: Uint32Array, statuses: Uint8Array): void
  subscribe(listener: (change: NodeChange) => void): () => void
}

/** What globe, map and list draw. React sees its version and its counts, never the nodes. */
export function createNodeStore(): NodeStore {
  const listeners = new Set<(change: NodeChange) => void>()
  let columns = noNodes
  let counts = countStatuses(noNodes.status)
  let version = 0

  const tell = (change: NodeChange) => {
    version += 1
    counts = countStatuses(columns.status)
    for (const listener of listeners) listener(change)
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
    replace(next) {
      columns = next
      tell({ kind: 'replaced' })
    },
    setStatuses(indexes, statuses) {
      for (let i = 0; i < indexes.length; i++) {
        const index = indexes[i]
        const status = statuses[i]
        if (index !== undefined && status !== undefined) columns.status[index] = status
      }
      tell({ kind: 'statuses', indexes })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

function countStatuses(status: Uint8Array): NodeCounts {
  let online = 0
  let offline = 0
  for (const code of status) {
    if (code === statusCodes.online) online += 1
    else if (code === statusCodes.offline) offline += 1
  }
  return { online, offline, other: status.length - online - offline }
}
