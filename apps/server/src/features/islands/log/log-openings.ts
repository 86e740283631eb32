import { randomUUID } from 'node:crypto'
import { logLinesPerIsland } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import { restBetweenSteps } from '../../../steps.ts'
import type { PresenceFeature } from '../../presence/public.ts'

/** The log shows only states that last this long, so a device that restarts does not close its island. */
export const openingLastsMs = 60_000
const reader = 'openings'
const flipsAtOnce = 2000
const relayedAtOnce = 500
/** How far a server that begins to write logs reads back, to cover any time in which none did. */
const firstReadMs = 3_600_000
/** How far reads overlap. Rows can be written late, for example after a database outage. */
const lateMs = 120_000

type Flips = PresenceFeature['flips']
type FlipPage = NonNullable<Awaited<ReturnType<Flips['read']>>>

/** Also stands for agents that came or went. */
export interface CarrierFlip {
  readonly islandKey: number
  readonly status: 'online' | 'offline'
  readonly atMs: number
  /** Null if the status lasts. */
  readonly nextMs: number | null
  /** The last opening or closing in its log. */
  readonly last: Pick<NewOpening, 'kind' | 'atMs'> | null
}

export interface NewOpening {
  readonly id: string
  readonly islandKey: number
  readonly kind: 'opened' | 'closed'
  readonly atMs: number
}

export interface OpeningsStore {
  /** In the given order, only of published islands without the relay and checks that were not paused. */
  readonly ofCarriers: (
    flips: Pick<FlipPage, 'deviceKeys' | 'statuses' | 'atMs'>,
  ) => Promise<readonly CarrierFlip[]>
  /** Of the relay and of checks, in order, without closings of never opened islands and states that began during a pause. */
  readonly ofRelayed: (asked: {
    readonly after: { readonly sinceMs: number; readonly islandKey: number }
    readonly untilMs: number
    readonly limit: number
  }) => Promise<readonly CarrierFlip[]>
  /** Keeps the newest `maxLines` of each log. Skips islands that are gone. */
  readonly insert: (openings: readonly NewOpening[], maxLines: number) => Promise<void>
}

/** Logs what has lasted. Reads each flip at least once, and writes no line twice. */
export function logOpenings(parts: {
  readonly flips: Pick<Flips, 'read' | 'moveOn'>
  readonly store: Pick<OpeningsStore, 'ofCarriers' | 'insert'>
  readonly clock: Clock
  readonly rest?: () => Promise<void>
}) {
  const { flips, store, clock, rest = restBetweenSteps } = parts
  /** Until then, the next flip has not lasted long enough. */
  let waitUntilMs = 0
  return async (): Promise<void> => {
    while (clock() >= waitUntilMs) {
      const page = await flips.read(reader, flipsAtOnce)
      if (page === undefined) return
      const untilMs = clock() - openingLastsMs
      const later = page.atMs.findIndex((atMs) => atMs > untilMs)
      const count = later === -1 ? page.atMs.length : later
      const next = page.atMs[count]
      if (next !== undefined) waitUntilMs = next + openingLastsMs
      if (count === 0) return
      const lasted = {
        deviceKeys: page.deviceKeys.slice(0, count),
        statuses: page.statuses.slice(0, count),
        atMs: page.atMs.slice(0, count),
      }
      await insertLasting(store, await store.ofCarriers(lasted))
      const { writer, sequences } = page
      await flips.moveOn(reader, { writer, sequences: sequences.slice(0, count) })
      await rest()
    }
  }
}

export function logRelayOpenings(store: OpeningsStore, clock: Clock) {
  let readUntilMs: number | undefined
  return async (): Promise<void> => {
    const untilMs = clock() - openingLastsMs
    const sinceMs = readUntilMs === undefined ? untilMs - firstReadMs : readUntilMs - lateMs
    let after = { sinceMs, islandKey: 0 }
    for (;;) {
      const page = await store.ofRelayed({ after, untilMs, limit: relayedAtOnce })
      await insertLasting(store, page)
      const last = page.at(-1)
      if (last === undefined || page.length < relayedAtOnce) break
      after = { sinceMs: last.atMs, islandKey: last.islandKey }
      await restBetweenSteps()
    }
    readUntilMs = untilMs
  }
}

async function insertLasting(
  store: Pick<OpeningsStore, 'insert'>,
  flips: readonly CarrierFlip[],
): Promise<void> {
  const openings = lastingOpenings(flips, randomUUID)
  if (openings.length > 0) await store.insert(openings, logLinesPerIsland)
}

export function lastingOpenings(
  flips: readonly CarrierFlip[],
  makeId: () => string,
): readonly NewOpening[] {
  const lastOf = new Map<number, CarrierFlip['last']>()
  const openings: NewOpening[] = []
  for (const { islandKey, status, atMs, nextMs, last } of flips) {
    const kind = status === 'online' ? 'opened' : 'closed'
    const before = lastOf.get(islandKey) ?? last
    const hasLasted = nextMs === null || nextMs - atMs >= openingLastsMs
    if (!hasLasted || (before !== null && (before.kind === kind || before.atMs >= atMs))) continue
    lastOf.set(islandKey, { kind, atMs })
    openings.push({ id: makeId(), islandKey, kind, atMs })
  }
  return openings
}
