import { randomUUID } from 'node:crypto'
import { logLinesPerIsland } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { restBetweenSteps } from '../../../steps.ts'
import { lastingOpenings, openingLastsMs } from './log-openings.ts'
import type { OpeningsStore } from './openings-store.ts'

const openingsAtOnce = 500
/** How far a server that begins to write logs looks back, to cover any time in which none did. */
const firstLookMs = 3_600_000
/** How far reads overlap. Rows can be written late, for example after a database outage. */
const lateMs = 120_000

interface NoteRelayOpeningsDeps {
  readonly store: Pick<OpeningsStore, 'ofRelayed' | 'insert'>
  readonly clock: Clock
}

/**
 * Writes into the logs of relayed islands when they opened and closed, once that has lasted. Writes no line
 * twice.
 */
export function logRelayOpenings({ store, clock }: NoteRelayOpeningsDeps) {
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
      if (openings.length > 0) await store.insert(openings, logLinesPerIsland)
      const last = page.at(-1)
      if (last === undefined || page.length < openingsAtOnce) break
      after = { sinceMs: last.atMs, islandKey: last.islandKey }
      await restBetweenSteps()
    }
    lookedUntilMs = untilMs
  }
}
