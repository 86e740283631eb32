import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../lib/emitter.ts'
import type { Place } from './geometry/unit-vector.ts'

/** A part of the Earth to show. */
export interface Sight extends Place {
  /** How many degrees of the Earth should fit into the view. */
  readonly spanDeg: number
}

/** What the visitor looks at. The globe, the map and the list share it. */
export interface Selection {
  readonly selectedId: string | undefined
  /** Selects a node, or none. If a sight is given, the globe and the map turn to it. */
  select(id: string | undefined, sight?: Sight): void
  /** Turns the globe and the map to a place without changing the selection. */
  lookAt(sight: Sight): void
  /** Continues at this place on the map, which zooms in further than the globe. */
  lookCloser(sight: Sight): void
  /**
   * Returns the last requested closer look once, even if the map was still loading when it was requested.
   */
  takeCloserLook(): Sight | undefined
  readonly onCloserLook: (listener: () => void) => () => void
  /** Calls the listener when the selection changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Calls the listener with each new sight, and at once with the last one, if any. */
  onSight(listener: (sight: Sight) => void): () => void
}

export function createSelection(): Selection {
  const changes = createEmitter()
  const sights = createEmitter<Sight>()
  const closerLooks = createEmitter()
  let closerLook: Sight | undefined
  let selectedId: string | undefined
  let lastSight: Sight | undefined

  const lookAt = (sight: Sight) => {
    lastSight = sight
    sights.emit(sight)
  }

  return {
    get selectedId() {
      return selectedId
    },
    select(id, sight) {
      if (id !== selectedId) {
        selectedId = id
        changes.emit()
      }
      if (sight !== undefined) lookAt(sight)
    },
    lookAt,
    lookCloser(sight) {
      closerLook = sight
      closerLooks.emit()
    },
    takeCloserLook() {
      const taken = closerLook
      closerLook = undefined
      return taken
    },
    onCloserLook: closerLooks.on,
    subscribe: changes.on,
    onSight(listener) {
      if (lastSight !== undefined) listener(lastSight)
      return sights.on(listener)
    },
  }
}

export function useSelectedId(selection: Selection): string | undefined {
  return useSyncExternalStore(selection.subscribe, () => selection.selectedId)
}
