import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { DomainError } from './domain-error.ts'

const idleMs = 30_000

interface PictureThreadOptions {
  readonly file: URL
  readonly name: string
  readonly waitingMax: number
}

/** Makes one picture at a time and rests twice as long, so pictures take at most a third of a core. */
export class PictureThread {
  readonly #options: PictureThreadOptions
  #waiting = 0
  #last: Promise<void> = Promise.resolve()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: PictureThreadOptions) {
    this.#options = options
  }

  /** @throws DomainError `overloaded` if too many pictures wait */
  async ask(message: unknown): Promise<unknown> {
    if (this.#waiting >= this.#options.waitingMax) {
      throw new DomainError('overloaded', { retryAfterS: 10 })
    }
    this.#waiting += 1
    try {
      return await this.#inTurn(() => this.#answerTo(message))
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

  async #inTurn(make: () => Promise<unknown>): Promise<unknown> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    const startMs = performance.now()
    try {
      return await make()
    } finally {
      resolve(wait((performance.now() - startMs) * 2, undefined, { ref: false }))
    }
  }

  async #answerTo(message: unknown): Promise<unknown> {
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#startWorker()
    const worker = this.#worker
    worker.postMessage(message)
    const [answer]: unknown[] = await once(worker, 'message')
    this.#idleTimer = setTimeout(() => void this.close(), idleMs).unref()
    return answer
  }

  #startWorker(): Worker {
    const { file, name } = this.#options
    // `node --watch` sets a variable that makes a worker's imports arrive as messages among its answers.
    const worker = new Worker(file, { name, env: {} })
    // `once` rejects with the error. If the library can't be loaded, each picture fails on its own.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    worker.unref()
    return worker
  }
}
