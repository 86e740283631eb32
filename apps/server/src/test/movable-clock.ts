import type { Clock } from '../clock.ts'

/** A clock that stands still until the test moves it. */
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
