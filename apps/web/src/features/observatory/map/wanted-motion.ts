import { motionPause } from '../../../lib/motion-pause.ts'
import type { Motion } from './map-view.ts'

/** The motion, or none where the visitor wants nothing to move by itself. */
export function wantedMotion(motion: Motion): Motion {
  const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return isReduced || motionPause.isPaused() ? 'at-once' : motion
}
