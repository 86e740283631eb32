import { useSyncExternalStore } from 'react'
import { createEmitter } from '../../lib/emitter.ts'
import type { Place } from './geometry/unit-vector.ts'

export interface Sight extends Place {
  readonly spanDeg: number
}

export type Selection = ReturnType<typeof createSelection>

/** What the visitor has chosen and shows. The globe, the map and the list share it. */
export function createSelection() {
  const changes = createEmitter()
  const sights = createEmitter<Sight>()
  const mapSights = createEmitter()
  let mapSight: Sight | undefined
  let selectedId: string | undefined
  let lastSight: Sight | undefined

  /** Turns the globe and the map to a place without changing the selection. */
  const turnTo = (sight: Sight) => {
    lastSight = sight
    sights.emit(sight)
  }

  return {
    get selectedId() {
      return selectedId
    },
    /** Selects a node, or none. If a sight is given, the globe and the map turn to it. */
    select(id: string | undefined, sight?: Sight) {
      if (id !== selectedId) {
        selectedId = id
        changes.emit()
      }
      if (sight !== undefined) turnTo(sight)
    },
    turnTo,
    /** Continues at this place on the map, which zooms in further than the globe. */
    openMapAt(sight: Sight) {
      mapSight = sight
      mapSights.emit()
    },
    /** The last place requested for the map, once, even if the map was still loading at that time. */
    takeMapSight() {
      const taken = mapSight
      mapSight = undefined
      return taken
    },
    onMapSight: mapSights.on,
    subscribe: changes.on,
    /** Calls the listener with each new sight, and at once with the last one, if any. */
    onSight(listener: (sight: Sight) => void) {
      if (lastSight !== undefined) listener(lastSight)
      return sights.on(listener)
    },
  }
}

export function useSelectedId(selection: Selection): string | undefined {
  return useSyncExternalStore(selection.subscribe, () => selection.selectedId)
}
