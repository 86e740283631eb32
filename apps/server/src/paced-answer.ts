import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './clock.ts'

const minIntervalMs = 1000
/** So that making it takes a tenth of the time at most, however much there is to look through. */
const restPerMaking = 10

interface PacedAnswerOptions<Answer> {
  readonly make: () => Promise<Answer>
  /** Whether nothing has changed since this one was made. */
  readonly isCurrent: (answer: Answer) => boolean
  readonly clock: Clock
  /** It is kept no longer than that while somebody asks, however long making it takes. */
  readonly maxIntervalMs?: number
  /** What passes so many milliseconds. */
  readonly rest?: (ms: number) => Promise<unknown>
}

/**
 * What is the same for everybody, made when somebody asks for it after a change and not again within its
 * interval: those who ask meanwhile get the last one.
 */
export class PacedAnswer<Answer> {
  readonly #options: PacedAnswerOptions<Answer>
  #kept: Answer | undefined
  #madeAtMs = Number.NEGATIVE_INFINITY
  #makingTookMs = 0
  #making: Promise<Answer> | undefined

  constructor(options: PacedAnswerOptions<Answer>) {
    this.#options = options
  }

  /**
   * Has it made anew for whoever asks next, since it may tell more than everybody may know now: they wait
   * for it, and for the rest after the last making. What is being made has to end with a look at what is
   * true by then.
   */
  forget(): void {
    this.#kept = undefined
  }

  async get(): Promise<Answer> {
    const { clock, isCurrent, maxIntervalMs = Number.POSITIVE_INFINITY } = this.#options
    const pacedMs = Math.max(minIntervalMs, restPerMaking * this.#makingTookMs)
    const intervalMs = Math.min(maxIntervalMs, pacedMs)
    const isDue = clock() >= this.#madeAtMs + intervalMs
    if (this.#kept !== undefined && (!isDue || isCurrent(this.#kept))) return this.#kept
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
    this.#kept = answer
    this.#madeAtMs = startMs
    this.#makingTookMs = clock() - startMs
    return answer
  }
}
