/** Runs few tasks at a time, those of each in turn, so that the many of one delay nobody else’s few. */
export class FairTurns {
  readonly #atOnce: number
  readonly #waiting = new Map<string, (() => Promise<void>)[]>()
  #running = 0

  constructor({ atOnce }: { readonly atOnce: number }) {
    this.#atOnce = atOnce
  }

  take<Result>(who: string, task: () => Promise<Result>): Promise<Result> {
    const outcome = Promise.withResolvers<Result>()
    const run = () => task().then(outcome.resolve, outcome.reject)
    const others = this.#waiting.get(who)
    if (others === undefined) this.#waiting.set(who, [run])
    else others.push(run)
    this.#run()
    return outcome.promise
  }

  #run(): void {
    while (this.#running < this.#atOnce) {
      const [next] = this.#waiting
      if (next === undefined) return
      const [who, tasks] = next
      const task = tasks.shift()
      this.#waiting.delete(who)
      if (tasks.length > 0) this.#waiting.set(who, tasks)
      this.#running += 1
      void this.#runOne(task)
    }
  }

  async #runOne(task: (() => Promise<void>) | undefined): Promise<void> {
    await task?.()
    this.#running -= 1
    // Others have a turn of the event loop in between.
    setImmediate(() => this.#run())
  }
}
