import type { IslandPause as ShownPause } from '@astropelago/contract/islands'

/** A time in which the host lets nobody else in. A stored pause may be over. */
export interface IslandPause {
  readonly fromMs: number
  /** Null until the host continues. */
  readonly untilMs: number | null
  /** Shown to visitors; may be empty. */
  readonly text: string
}

/** The pause in effect at a time. Pauses end by themselves. */
export function pauseAt(pause: IslandPause | null, atMs: number): IslandPause | null {
  return pause !== null && (pause.untilMs === null || atMs < pause.untilMs) ? pause : null
}

export function presentPause(pause: IslandPause | null): ShownPause | null {
  if (pause === null) return null
  const { text, untilMs } = pause
  return { text, until: untilMs === null ? null : new Date(untilMs).toISOString() }
}
