import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from './emitter.ts'
import { storedValue } from './stored-value.ts'

const stored = storedValue('astropelago.motion-paused.v1', v.boolean())
const changes = createEmitter()
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
    changes.emit()
  },
  subscribe: changes.on,
}

/** False in prerendered HTML, which knows no visitor. */
export function useMotionPaused(): boolean {
  return useSyncExternalStore(motionPause.subscribe, motionPause.isPaused, () => false)
}

/** What the system asks for; it tells of changes. */
export function reducedMotion(): MediaQueryList {
  return window.matchMedia('(prefers-reduced-motion: reduce)')
}

/** Whether anything may move by itself: neither the visitor nor the system wants it still. */
export function isMotionWelcome(): boolean {
  return !motionPause.isPaused() && !reducedMotion().matches
}
