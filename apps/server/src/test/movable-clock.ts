import type { Clock } from '../clock.ts'

/** A clock that only the test moves. */
export interface MovableClock {
  readonly now: Clock
  readonly move: (ms: number) => void
}

export function movableClock(startMs = Date.UTC(2026, 0, 1)): MovableClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    move: (ms) => {
      nowMs += ms
    },
  }
}
