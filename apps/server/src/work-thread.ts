import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'
import { DomainError } from './domain-error.ts'

const idleMs = 30_000

interface WorkThreadOptions {
  readonly file: URL
  readonly name: string
  readonly waitingMax: number
  /** How long it rests after each piece of work, as a multiple of the time that the work took. */
  readonly rest: number
  /** Work that takes longer ends with its worker. The default is no limit. */
  readonly timeLimitMs?: number
  readonly resourceLimits?: ResourceLimits
}

/** Does one piece of work at a time. With a rest of 2, it takes at most a third of a core. */
export class WorkThread {
  readonly #options: WorkThreadOptions
  #waiting = 0
  #last: Promise<void> = Promise.resolve()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: WorkThreadOptions) {
    this.#options = options
  }

  /** @throws DomainError `overloaded` if too much work waits, or this takes too long */
  async ask(message: unknown, transfer: readonly Transferable[] = []): Promise<unknown> {
    if (this.#waiting >= this.#options.waitingMax) {
      throw new DomainError('overloaded', { retryAfterS: 10 })
    }
    this.#waiting += 1
    try {
      return await this.#inTurn(() => this.#answerTo(message, transfer))
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #inTurn(work: () => Promise<unknown>): Promise<unknown> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    const startMs = performance.now()
    try {
      return await work()
    } finally {
      const restMs = (performance.now() - startMs) * this.#options.rest
      resolve(wait(restMs, undefined, { ref: false }))
    }
  }

  async #answerTo(message: unknown, transfer: readonly Transferable[]): Promise<unknown> {
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#startWorker()
    const worker = this.#worker
    worker.postMessage(message, transfer)
    const answer = await this.#answerOf(worker)
    this.#idleTimer = setTimeout(() => void this.close(), idleMs).unref()
    return answer
  }

  async #answerOf(worker: Worker): Promise<unknown> {
    const { timeLimitMs } = this.#options
    const signal = timeLimitMs === undefined ? undefined : AbortSignal.timeout(timeLimitMs)
    try {
      const [answer]: unknown[] = await once(worker, 'message', { signal })
      return answer
    } catch (error) {
      if (signal?.aborted !== true) throw error
      await this.close()
      throw new DomainError('overloaded', { retryAfterS: 10, cause: error })
    }
  }

  #startWorker(): Worker {
    const { file, name, resourceLimits } = this.#options
    // `node --watch` sets a variable that makes a worker's imports arrive as messages among its answers.
    const worker = new Worker(file, { name, env: {}, resourceLimits })
    // `once` rejects with the error. If the library can't be loaded, each piece of work fails on its own.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    worker.unref()
    return worker
  }
}
