import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { storedValue } from './stored-value.ts'

const stored = storedValue('astropelago.motion-paused.v1', v.boolean())
const listeners = new Set<() => void>()
let isPaused: boolean | undefined

/**
 * Whether the visitor has stopped what moves by itself. Remembered in the browser; where storage
 * refuses, it holds until the page is loaded again.
 */
export const motionPause = {
  isPaused: (): boolean => {
    isPaused ??= stored.read() ?? false
    return isPaused
  },
  set: (paused: boolean): void => {
    isPaused = paused
    stored.write(paused)
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** False in prerendered HTML, which knows no visitor. */
export function useMotionPaused(): boolean {
  return useSyncExternalStore(motionPause.subscribe, motionPause.isPaused, () => false)
}
