import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { logLinesPerIsland } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { IslandChanges } from '../island-changes.ts'
import { lastingOpenings, openingLastsMs } from './note-openings.ts'
import type { OpeningsStore } from './openings-store.ts'

/** So many, and a rest after them: the database has other work between two reads. */
const openingsAtOnce = 500
const restMs = 10
/** A server that begins to write logs looks so far back, past any time in which none did. */
const firstLookMs = 3_600_000
/** What is on record late, as after a database that did not answer, is older than what was looked at. */
const lateMs = 120_000

interface NoteRelayOpeningsDeps {
  readonly store: Pick<OpeningsStore, 'ofRelayed' | 'insert'>
  readonly clock: Clock
  readonly changes: Pick<IslandChanges, 'noteChange'>
}

/**
 * What writes into the logs of islands that the relay carries when they opened and closed, once that has lasted.
 * What it has written already it does not write again.
 */
export function noteRelayOpenings({ store, clock, changes }: NoteRelayOpeningsDeps) {
  let lookedUntilMs: number | undefined
  return async (): Promise<void> => {
    const untilMs = clock() - openingLastsMs
    let after = {
      sinceMs: lookedUntilMs === undefined ? untilMs - firstLookMs : lookedUntilMs - lateMs,
      islandKey: 0,
    }
    for (;;) {
      const page = await store.ofRelayed({ after, untilMs, limit: openingsAtOnce })
      const openings = lastingOpenings(page, randomUUID)
      const islandKeys =
        openings.length === 0 ? [] : await store.insert(openings, logLinesPerIsland)
      for (const islandKey of islandKeys) changes.noteChange({ islandKey, kind: 'log' })
      const last = page.at(-1)
      if (last === undefined || page.length < openingsAtOnce) break
      after = { sinceMs: last.atMs, islandKey: last.islandKey }
      await wait(restMs)
    }
    lookedUntilMs = untilMs
  }
}
