import { StatementRefused } from '../statements.ts'

const changesAtOnce = 20_000
const changesPerS = 1000
/** A longer event counts as several. */
const eventBytes = 4096
const snapshotsPerHour = 20
const hourMs = 3_600_000

/** What one neighbour may make us do ([F23]). An installation of 100,000 devices makes 200 changes a second. */
export class ChangeBudget {
  readonly #now: () => number
  readonly #changes: Allowance
  readonly #events: Allowance
  #snapshotsMs: number[] = []

  constructor(now: () => number) {
    this.#now = now
    this.#changes = new Allowance(now)
    this.#events = new Allowance(now)
  }

  /** @throws StatementRefused */
  takeChanges(count: number): void {
    if (!this.#changes.take(count)) {
      throw new StatementRefused('It sends more than 1,000 changes a second.')
    }
  }

  /** Also those that say nothing. @throws StatementRefused */
  readonly takeEvent = (bytes: number): void => {
    if (!this.#events.take(Math.ceil(bytes / eventBytes))) {
      throw new StatementRefused('It sends more than 1,000 statements, or 4 MB, a second.')
    }
  }

  /** @throws StatementRefused */
  takeSnapshot(): void {
    const nowMs = this.#now()
    const recent = this.#snapshotsMs.filter((ms) => ms > nowMs - hourMs)
    this.#snapshotsMs = [...recent, nowMs]
    if (recent.length >= snapshotsPerHour) {
      throw new StatementRefused('It begins anew more than 20 times an hour.')
    }
  }
}

class Allowance {
  readonly #now: () => number
  #left = changesAtOnce
  #countedMs: number

  constructor(now: () => number) {
    this.#now = now
    this.#countedMs = now()
  }

  take(count: number): boolean {
    const nowMs = this.#now()
    const earned = (Math.max(0, nowMs - this.#countedMs) / 1000) * changesPerS
    this.#left = Math.min(changesAtOnce, this.#left + earned) - count
    this.#countedMs = nowMs
    return this.#left >= 0
  }
}
