import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from '../lib/emitter.ts'
import { storedValue } from '../lib/stored-value.ts'

/** Whose islands and devices the user does not want to see. */
const NeighbourChoice = v.object({ areOff: v.boolean(), hiddenIds: v.array(v.string()) })
export type NeighbourChoice = v.InferOutput<typeof NeighbourChoice>

const everybody: NeighbourChoice = { areOff: false, hiddenIds: [] }
const stored = storedValue('astropelago.neighbours.v1', NeighbourChoice)
const changes = createEmitter()
let current: NeighbourChoice | undefined

/** Stored in the browser. If storage refuses, it lasts until a reload. */
export const neighbourChoice = {
  read: (): NeighbourChoice => (current ??= stored.read() ?? everybody),
  change: (change: Partial<NeighbourChoice>): void => {
    current = { ...neighbourChoice.read(), ...change }
    stored.write(current)
    changes.emit()
  },
  /** Reads it from the browser again. */
  forget: (): void => {
    current = undefined
  },
}

export function useNeighbourChoice(): NeighbourChoice {
  return useSyncExternalStore(changes.on, neighbourChoice.read, () => everybody)
}
