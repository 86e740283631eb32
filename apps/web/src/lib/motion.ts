import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { createEmitter } from './emitter.ts'
import { storedValue } from './stored-value.ts'

const stored = storedValue('astropelago.motion-paused.v1', v.boolean())
const changes = createEmitter()
let isPaused: boolean | undefined

/** Stored in the browser. If storage refuses, it lasts until a reload. */
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

/** False in prerendered HTML, which is the same for all visitors. */
export function useMotionPaused(): boolean {
  return useSyncExternalStore(motionPause.subscribe, motionPause.isPaused, () => false)
}

/** It emits change events. */
export function reducedMotion(): MediaQueryList {
  return window.matchMedia('(prefers-reduced-motion: reduce)')
}

export function isMotionWelcome(): boolean {
  return !motionPause.isPaused() && !reducedMotion().matches
}
