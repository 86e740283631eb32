import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../lib/emitter.ts'
import type { Place } from './geometry/unit-vector.ts'

/** A part of the Earth to turn to. */
export interface Sight extends Place {
  /** How many degrees of it should fit into the picture. */
  readonly spanDeg: number
}

/** What the visitor looks at, shared by globe, map and list. */
export interface Selection {
  /** The node that is selected, in all three at once. */
  readonly selectedId: string | undefined
  /** Selects a node, or none; the pictures turn to the sight that is given with it. */
  select(id: string | undefined, sight?: Sight): void
  /** Turns the pictures to a place without selecting a node. */
  lookAt(sight: Sight): void
  /** Goes on at a place on the map, which comes nearer than the globe. */
  lookCloser(sight: Sight): void
  /** Where the map is to go on, once: it may have been on its way when that was asked. */
  takeCloserLook(): Sight | undefined
  readonly onCloserLook: (listener: () => void) => () => void
  /** Told when the selection changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Told when the pictures are to turn; one that comes late, where they have turned to. */
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

/** The node that the visitor has selected, followed as that changes. */
export function useSelectedId(selection: Selection): string | undefined {
  return useSyncExternalStore(selection.subscribe, () => selection.selectedId)
}
