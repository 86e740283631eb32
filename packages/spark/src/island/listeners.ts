export interface Listeners<T> {
  /** @returns stops it */
  readonly add: (listener: (value: T) => void) => () => void
  readonly tell: (value: T) => void
}

/**
 * Listeners that may come late: in a moment, each gets the present values, and from then on what is told.
 * What one of them throws keeps nothing from the others.
 */
export function createListeners<T>(present: () => Iterable<T> = () => []): Listeners<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    add: (listener) => {
      let isStopped = false
      const own = (value: T) => {
        if (!isStopped) call(listener, value)
      }
      queueMicrotask(() => {
        if (isStopped) return
        listeners.add(own)
        for (const value of present()) own(value)
      })
      return () => {
        isStopped = true
        listeners.delete(own)
      }
    },
    tell: (value) => {
      for (const listener of listeners) listener(value)
    },
  }
}

function call<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value)
  } catch (error) {
    throwLater(error)
  }
}

/** For the console of the page, whose error it is. */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
