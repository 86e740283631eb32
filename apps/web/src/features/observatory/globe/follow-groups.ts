import type { NodeStore } from '../nodes/node-store.ts'
import type { createGroups, Groups } from './groups/groups.ts'

/** Nodes are grouped again when the planet's size changes by about this factor (natural logarithm). */
const sizeStep = Math.log(1.05)

export interface FollowedGroups {
  readonly current: Groups | undefined
  /** Call it every frame with the planet's radius. Grouping itself waits until after the frame. */
  fit(radiusPx: number): void
  /** Call it when the nodes were replaced. */
  renew(): void
  dispose(): void
}

/** Groups the nodes of a store. The code for it loads once there are nodes to group. */
export function followGroups(store: NodeStore, onGrouped: () => void): FollowedGroups {
  let create: typeof createGroups | undefined
  let current: Groups | undefined
  let radiusPx = 0
  let groupedStep: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = async () => {
    create = (await import('./groups/groups.ts')).createGroups
    group()
  }
  const group = () => {
    clearTimeout(timer)
    timer = undefined
    current = undefined
    if (store.columns.count > 1 && radiusPx > 0 && create !== undefined) {
      groupedStep = stepOf(radiusPx)
      current = create(store.columns, radiusPx)
    }
    onGrouped()
  }

  return {
    get current() {
      return current
    },
    fit(nextPx) {
      radiusPx = nextPx
      if (create === undefined || timer !== undefined || stepOf(nextPx) === groupedStep) return
      timer = setTimeout(group)
    },
    renew() {
      group()
      // Without it, overlapping nodes are drawn as they are. The next list tries again.
      if (create === undefined && store.columns.count > 1) load().catch(() => undefined)
    },
    dispose() {
      clearTimeout(timer)
      create = undefined
      radiusPx = 0
    },
  }
}

function stepOf(radiusPx: number): number {
  return Math.round(Math.log(radiusPx) / sizeStep)
}
