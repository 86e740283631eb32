import { dayStart } from '../../history/time-spans.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { closeDay } from './device-history.ts'
import type { DayOfDevice, HistoryStore } from './history-store.ts'

export const daysReader = 'days'
/** Pause between two steps of about 20 ms each, so that the work takes a third of a core at most. */
export const rollUpRestMs = 50

interface RollUpParts {
  readonly store: Pick<HistoryStore, 'unobserved' | 'readOpenDays' | 'writeDays'>
  readonly flips: Pick<PresenceFeature['flips'], 'read' | 'moveOn'>
  readonly rest: () => Promise<void>
  /** Flips in one step: as many as a heartbeat may wait for. */
  readonly flipsInStep?: number
}

/**
 * Makes each day on which a device flipped from all its flips, again if one is recorded late. The cursor moves
 * on afterwards, so a crash repeats a step and skips none. @param untilMs only days that ended by then
 */
export async function rollUpDays(
  { store, flips, rest, flipsInStep = 250 }: RollUpParts,
  untilMs: number,
  signal?: AbortSignal,
): Promise<number> {
  let made = 0
  for (;;) {
    const page = await flips.read(daysReader, flipsInStep)
    if (page === undefined) return made
    const open = page.atMs.findIndex((atMs) => atMs >= dayStart(untilMs))
    const count = open === -1 ? page.sequences.length : open
    if (count === 0) return made
    made += await closeDays(daysOfFlips(page, count), store)
    const { writer } = page
    await flips.moveOn(daysReader, { writer, sequences: page.sequences.slice(0, count) })
    if (open !== -1) return made
    await rest()
    if (signal?.aborted === true) return made
  }
}

async function closeDays(
  days: readonly DayOfDevice[],
  store: RollUpParts['store'],
): Promise<number> {
  const starts = [...new Set(days.map(({ startMs }) => startMs))].toSorted((a, b) => a - b)
  const unobserved = await store.unobserved(starts[0] ?? 0)
  let made = 0
  // A device's next day begins with the status at the end of this one.
  for (const startMs of starts) {
    const open = await store.readOpenDays(days.filter((day) => day.startMs === startMs))
    const closed = open.map((day) => closeDay(day, unobserved))
    if (closed.length > 0) await store.writeDays(closed)
    made += closed.length
  }
  return made
}

function daysOfFlips(
  page: { readonly deviceKeys: readonly number[]; readonly atMs: readonly number[] },
  count: number,
): readonly DayOfDevice[] {
  const days = new Map<string, DayOfDevice>()
  for (let at = 0; at < count; at += 1) {
    const [deviceKey, atMs] = [page.deviceKeys[at], page.atMs[at]]
    if (deviceKey === undefined || atMs === undefined) continue
    const startMs = dayStart(atMs)
    days.set(`${deviceKey}.${startMs}`, { deviceKey, startMs })
  }
  return [...days.values()]
}
