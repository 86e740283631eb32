import { Cron } from 'croner'

/** A report this much before a time of a cron expression counts for it: clocks differ. */
const earlyMs = 30_000

/** @returns when a report is expected after one at a time */
export function expectedByCron(expression: string, timeZone: string): (atMs: number) => number {
  let times: CronTimes | undefined
  let known = { fromMs: 0, nextMs: 0 }
  return (atMs) => {
    const afterMs = atMs + earlyMs
    // Most calls are about the time until the next report, and do not have to look for the next time.
    if (afterMs < known.fromMs || afterMs >= known.nextMs) {
      times ??= new CronTimes(expression, timeZone)
      known = { fromMs: afterMs, nextMs: times.nextMs(afterMs) }
    }
    return known.nextMs
  }
}

/** Times of a cron expression that the contract allows, each of them once. */
export class CronTimes {
  readonly #cron: Cron

  constructor(expression: string, timezone: string) {
    this.#cron = new Cron(expression, { timezone, mode: '5-part', paused: true })
  }

  /** The first time after this one. It takes 0.2 ms. */
  nextMs(afterMs: number): number {
    if (!Number.isFinite(afterMs)) return afterMs
    let next = this.#cron.nextRun(new Date(afterMs))
    // When clocks change, croner moves times that are skipped to an hour later, and finds times that come
    // twice again after they came.
    while (next !== null && (next.getTime() <= afterMs || !this.#cron.match(next))) {
      next = this.#cron.nextRun(next)
    }
    return next?.getTime() ?? Number.POSITIVE_INFINITY
  }
}
