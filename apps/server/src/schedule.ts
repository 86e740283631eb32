import type { FastifyBaseLogger } from 'fastify'

interface Repeated {
  readonly intervalMs: number
  readonly failure: string
  readonly task: (signal: AbortSignal) => Promise<unknown>
}

export class Schedule {
  readonly #log: Pick<FastifyBaseLogger, 'error'>
  readonly #leads: () => boolean
  readonly #repeated: Repeated[] = []
  readonly #last: (() => Promise<void>)[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  /** @param leads whether this server leads, of those that share a database */
  constructor(log: Pick<FastifyBaseLogger, 'error'>, leads: () => boolean = () => true) {
    this.#log = log
    this.#leads = leads
  }

  /** Runs a task `intervalMs` after each end of it, and logs failures. The signal says that the server closes. */
  every(intervalMs: number, failure: string, task: Repeated['task']): void {
    this.#repeated.push({ intervalMs, failure, task })
  }

  everyOnLeader(intervalMs: number, failure: string, task: Repeated['task']): void {
    this.every(intervalMs, failure, async (signal) => {
      if (this.#leads()) await task(signal)
    })
  }

  /** Runs a task once after everything else has ended, in the order of the calls. */
  atEnd(task: () => Promise<void>): void {
    this.#last.push(task)
  }

  /** Nothing runs before this, so features that are still being built miss nothing. */
  start(): void {
    for (const repeated of this.#repeated) this.#arm(repeated)
  }

  /** Resolves when the runs under way have ended and the final tasks are done. */
  async stop(): Promise<void> {
    this.#closing.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#running)
    for (const task of this.#last) await task()
  }

  #arm(repeated: Repeated): void {
    if (this.#closing.signal.aborted) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      const run = this.#run(repeated)
      this.#running.add(run)
      void run.finally(() => this.#running.delete(run))
    }, repeated.intervalMs)
    timer.unref()
    this.#timers.add(timer)
  }

  async #run(repeated: Repeated): Promise<void> {
    try {
      await repeated.task(this.#closing.signal)
    } catch (error) {
      this.#log.error({ err: error }, repeated.failure)
    }
    this.#arm(repeated)
  }
}
