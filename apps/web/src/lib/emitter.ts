/** Something that happens, for all who want to be told of it. */
export interface Emitter<Value> {
  /** Adds a listener, once; what is returned removes it. Fits useSyncExternalStore as it is. */
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
