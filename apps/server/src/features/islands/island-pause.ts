import type { IslandPause as ShownPause } from '@astropelago/contract/islands'

/** That a host lets nobody else in for a time, as it stands in storage: it may be over. */
export interface IslandPause {
  readonly fromMs: number
  /** Null until its host continues. */
  readonly untilMs: number | null
  /** What visitors read; '' for nothing. */
  readonly text: string
}

/** The pause that an island is in at a time: it ends by itself, whoever looks. */
export function pauseAt(pause: IslandPause | null, atMs: number): IslandPause | null {
  return pause !== null && (pause.untilMs === null || atMs < pause.untilMs) ? pause : null
}

export function presentPause(pause: IslandPause | null): ShownPause | null {
  if (pause === null) return null
  const { text, untilMs } = pause
  return { text, until: untilMs === null ? null : new Date(untilMs).toISOString() }
}
