import { Topic } from '../../../topic.ts'
import type { ChecksStore, FoundCheck } from '../checks-store.ts'

interface FoundWriterOptions {
  readonly store: Pick<ChecksStore, 'record'>
  /** Makes a check unobserved whose looks could not be stored. Undefined if nobody looks at it any more. */
  readonly lose: (checkKey: number, lost: FoundCheck | undefined) => FoundCheck | undefined
  /** Called when storage works again. */
  readonly onBack: () => void
}

/** Stores what looks find, all of a second together. Nothing piles up while storage refuses. */
export class FoundWriter {
  readonly #options: FoundWriterOptions
  readonly #flips = new Topic<[flips: readonly FoundCheck[]]>()
  #unwritten: FoundCheck[] = []
  /** What checks have been since their looks could not be stored. */
  readonly #lost = new Map<number, FoundCheck>()
  #isCutOff = false

  constructor(options: FoundWriterOptions) {
    this.#options = options
  }

  readonly listen = this.#flips.subscribe

  add(found: FoundCheck): void {
    this.#unwritten.push(found)
  }

  forget(checkKey: number): void {
    this.#lost.delete(checkKey)
  }

  clear(): void {
    this.#unwritten = []
    this.#lost.clear()
    this.#isCutOff = false
  }

  /** @throws StorageUnavailable, and drops what was found */
  async write(): Promise<void> {
    const found = this.#unwritten
    this.#unwritten = []
    if (found.length === 0) return
    try {
      const lost = [...this.#lost.values()]
      await this.record(lost.concat(found))
      for (const { checkKey } of lost) this.#lost.delete(checkKey)
    } catch (error) {
      for (const { checkKey } of found) {
        const lost = this.#options.lose(checkKey, this.#lost.get(checkKey))
        if (lost !== undefined) this.#lost.set(checkKey, lost)
      }
      throw error
    }
  }

  /**
   * Stores at once. A check may have been found several times, in this order.
   * @returns what the store skipped @throws StorageUnavailable
   */
  async record(found: readonly FoundCheck[]): Promise<ReadonlySet<FoundCheck>> {
    if (found.length === 0) return new Set()
    let skipped
    try {
      skipped = new Set(await this.#options.store.record(found))
    } catch (error) {
      this.noteFailure()
      throw error
    }
    this.noteSuccess()
    const flips = found.filter((one) => one.event !== null && !skipped.has(one))
    if (flips.length > 0) this.#flips.publish(flips)
    return skipped
  }

  noteFailure(): void {
    this.#isCutOff = true
  }

  noteSuccess(): void {
    if (!this.#isCutOff) return
    this.#isCutOff = false
    this.#options.onBack()
  }
}
