import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './clock.ts'

const minIntervalMs = 1000
/** Making the answer takes at most a tenth of the time, however much there is to read. */
const restPerMaking = 10

interface PacedAnswerOptions<Answer> {
  readonly make: () => Promise<Answer>
  /** Whether nothing has changed since this answer was made. By default, something may have. */
  readonly isCurrent?: (answer: Answer) => boolean
  readonly clock: Clock
  /** An answer is cached no longer than this while callers ask, however long making it takes. */
  readonly maxIntervalMs?: number
  readonly rest?: (ms: number) => Promise<unknown>
}

/** The same answer for everybody, made on demand after a change, and not again within its interval. */
export class PacedAnswer<Answer> {
  readonly #options: PacedAnswerOptions<Answer>
  #cached: Answer | undefined
  #madeAtMs = Number.NEGATIVE_INFINITY
  #makingTookMs = 0
  #making: Promise<Answer> | undefined

  constructor(options: PacedAnswerOptions<Answer>) {
    this.#options = options
  }

  /**
   * Drops the answer, which may contain more than everybody may know now. The next callers wait for a new
   * one, whose making has to end by checking what is true by then.
   */
  forget(): void {
    this.#cached = undefined
  }

  async get(): Promise<Answer> {
    const { clock, isCurrent, maxIntervalMs = Number.POSITIVE_INFINITY } = this.#options
    const pacedMs = Math.max(minIntervalMs, restPerMaking * this.#makingTookMs)
    const intervalMs = Math.min(maxIntervalMs, pacedMs)
    const isDue = clock() >= this.#madeAtMs + intervalMs
    if (this.#cached !== undefined && (!isDue || isCurrent?.(this.#cached) === true))
      return this.#cached
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined
    })
    return await this.#making
  }

  async #make(): Promise<Answer> {
    const { clock, make, rest = wait } = this.#options
    const restMs = Math.min(minIntervalMs, restPerMaking * this.#makingTookMs)
    const waitMs = this.#madeAtMs + restMs - clock()
    if (waitMs > 0) await rest(waitMs)
    const startMs = clock()
    const answer = await make()
    this.#cached = answer
    this.#madeAtMs = startMs
    this.#makingTookMs = clock() - startMs
    return answer
  }
}
