import { StatementRefused } from '../statements.ts'

const changesAtOnce = 20_000
const changesPerS = 1000
const snapshotsPerHour = 20
const hourMs = 3_600_000

/** What one neighbour may make us do ([F23]). An installation of 100,000 devices makes 200 changes a second. */
export class ChangeBudget {
  readonly #now: () => number
  #left = changesAtOnce
  #countedMs: number
  #snapshotsMs: number[] = []

  constructor(now: () => number) {
    this.#now = now
    this.#countedMs = now()
  }

  /** @throws StatementRefused */
  takeChanges(count: number): void {
    const nowMs = this.#now()
    const earned = (Math.max(0, nowMs - this.#countedMs) / 1000) * changesPerS
    this.#left = Math.min(changesAtOnce, this.#left + earned) - count
    this.#countedMs = nowMs
    if (this.#left < 0) throw new StatementRefused('It sends more than 1,000 changes a second.')
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
