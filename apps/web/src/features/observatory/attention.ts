import { addListener } from './add-listener.ts'

/** A part of the Earth to turn to. */
export interface Sight {
  readonly latDeg: number
  readonly lonDeg: number
  /** How many degrees of it should fit into the picture. */
  readonly spanDeg: number
}

/** What the visitor looks at, shared by globe, map and list. */
export interface Attention {
  /** The node that is selected, in all three at once. */
  readonly selectedId: string | undefined
  /** Selects a node, or none; the pictures turn to the sight that is given with it. */
  select(id: string | undefined, sight?: Sight): void
  /** Turns the pictures to a place without selecting a node. */
  lookAt(sight: Sight): void
  /** Told when the selection changes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Told when the pictures are to turn. */
  onSight(listener: (sight: Sight) => void): () => void
}

export function createAttention(): Attention {
  const selectionListeners = new Set<() => void>()
  const sightListeners = new Set<(sight: Sight) => void>()
  let selectedId: string | undefined

  const lookAt = (sight: Sight) => {
    for (const listener of sightListeners) listener(sight)
  }

  return {
    get selectedId() {
      return selectedId
    },
    select(id, sight) {
      if (id !== selectedId) {
        selectedId = id
        for (const listener of selectionListeners) listener()
      }
      if (sight !== undefined) lookAt(sight)
    },
    lookAt,
    subscribe: (listener) => addListener(selectionListeners, listener),
    onSight: (listener) => addListener(sightListeners, listener),
  }
}
