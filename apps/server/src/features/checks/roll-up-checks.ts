import { historyDays } from '@astropelago/contract/history'
import { dayMs, dayStart } from '../../history/time-spans.ts'
import { deleteInSteps, restBetweenSteps } from '../../steps.ts'
import type { ChecksStore } from './checks-store.ts'

/** Each has up to some thousand answers a day. */
const checksInStep = 50
/** Samples are small, and there are as many as looks. */
const samplesInStep = 2000

/**
 * Sums up the days that are over, and then deletes what is too old to show: single looks after 24 hours,
 * changes after 90 days.
 */
export function rollUpChecks(
  store: Pick<
    ChecksStore,
    'loadAll' | 'oldestSampleMs' | 'rollUp' | 'deleteSamples' | 'deleteEvents'
  >,
  rest = restBetweenSteps,
) {
  let rolledUpMs = 0

  const rollUpDay = async (startMs: number, signal?: AbortSignal): Promise<boolean> => {
    for await (const page of store.loadAll()) {
      const keys = page.map(({ key }) => key)
      for (let at = 0; at < keys.length; at += checksInStep) {
        await store.rollUp(keys.slice(at, at + checksInStep), startMs)
        await rest()
        if (signal?.aborted === true) return false
      }
    }
    return true
  }

  return async (nowMs: number, signal?: AbortSignal): Promise<void> => {
    const oldestMs = await store.oldestSampleMs()
    const firstMs = Math.max(rolledUpMs, dayStart(oldestMs ?? nowMs))
    for (let startMs = firstMs; startMs < dayStart(nowMs); startMs += dayMs) {
      if (!(await rollUpDay(startMs, signal))) return
      rolledUpMs = startMs + dayMs
    }
    const deleteSamples = (limit: number) => store.deleteSamples(nowMs - dayMs, limit)
    await deleteInSteps(deleteSamples, { signal, rest, size: samplesInStep })
    const eventsUntilMs = dayStart(nowMs - historyDays * dayMs)
    await deleteInSteps((limit) => store.deleteEvents(eventsUntilMs, limit), { signal, rest })
  }
}
