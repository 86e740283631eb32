export interface Emitter<Value> {
  /** Adds a listener and returns a function that removes it. Fits useSyncExternalStore. */
  readonly on: (listener: (value: Value) => void) => () => void
  readonly emit: (value: Value) => void
  readonly hasListeners: boolean
}

export function createEmitter<Value = void>(): Emitter<Value> {
  const listeners = new Set<(value: Value) => void>()
  return {
    on: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    emit: (value) => {
      for (const listener of listeners) listener(value)
    },
    get hasListeners() {
      return listeners.size > 0
    },
  }
}
