import type { Globe } from '../globe/globe.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { visibleNodes } from './visible-nodes.ts'

export interface WalkStep {
  readonly index: number
  /** Counted from 1. */
  readonly position: number
  readonly total: number
}

export interface NodeWalk {
  /** The node after or before this one; from the middle of the picture outwards, and around. */
  readonly from: (index: number | undefined, direction: 1 | -1) => WalkStep | undefined
  /** The order is made anew when the picture or the nodes have changed. */
  readonly forget: () => void
}

/** The keyboard's way from node to node, over those that can be seen. */
export function createNodeWalk(globe: Globe, store: NodeStore, surface: HTMLElement): NodeWalk {
  let order: Uint32Array | undefined
  return {
    from(index, direction) {
      order ??= visibleNodes(store.columns, globe.camera, {
        radiusPx: globe.radiusPx,
        widthPx: surface.clientWidth,
        heightPx: surface.clientHeight,
      })
      const total = order.length
      const at = index === undefined ? -1 : order.indexOf(index)
      const isOutside = at === -1
      const next = isOutside ? (direction === 1 ? 0 : total - 1) : (at + direction + total) % total
      const found = order[next]
      return found === undefined ? undefined : { index: found, position: next + 1, total }
    },
    forget() {
      order = undefined
    },
  }
}
