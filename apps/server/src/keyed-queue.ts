import { GroupTurns, tooMuchWaits } from './group-turns.ts'

interface Group<Key> {
  readonly keys: Set<Key>
  /** One for the whole group: a key costs a set entry, not a promise. */
  readonly outcome: PromiseWithResolvers<void>
}

interface KeyedQueueOptions<Key> {
  /** Does the work for one group of keys. If it throws, it failed for all of them. */
  readonly run: (keys: ReadonlySet<Key>) => Promise<void>
  /** How many keys may wait for the next group, repeated ones counted each time. No limit by default. */
  readonly maxWaiting?: number
  /** Whether keys that failed stay due and run with the next group. */
  readonly keepsFailed?: boolean
  /** Given: keys that failed stay due, and run again after this many milliseconds at the latest. */
  readonly retryAfterMs?: (error: unknown) => number
  /** Called once for each group that failed. Given: callers may ignore the promise of `add`. */
  readonly onFailure?: (error: unknown) => void
}

/** Keys that are added while a group runs wait for the next one, each of them once. */
export class KeyedQueue<Key> {
  readonly #options: KeyedQueueOptions<Key>
  readonly #turns: GroupTurns<Group<Key>>
  readonly #failed = new Set<Key>()
  #retry: NodeJS.Timeout | undefined

  constructor(options: KeyedQueueOptions<Key>) {
    this.#options = options
    this.#turns = new GroupTurns<Group<Key>>({
      open: () => this.#open(),
      run: async ({ keys, outcome }) => {
        try {
          await options.run(keys)
          return outcome.resolve
        } catch (error) {
          this.#handleFailure(keys, error)
          return () => outcome.reject(error)
        }
      },
      maxWeight: options.maxWaiting ?? Number.POSITIVE_INFINITY,
    })
  }

  /** Resolves when a group has run. @throws DomainError `overloaded`; whatever `run` throws */
  add(...keys: readonly Key[]): Promise<void> {
    const group = this.#turns.join(keys.length)
    if (group === undefined) return Promise.reject(tooMuchWaits())
    for (const key of this.#failed) group.keys.add(key)
    this.#failed.clear()
    for (const key of keys) group.keys.add(key)
    return group.outcome.promise
  }

  /** Resolves when nothing is due. @throws whatever `run` throws */
  async runFailed(): Promise<void> {
    if (this.#failed.size > 0) await this.add()
    else await (this.#turns.waiting ?? this.#turns.running)?.outcome.promise
  }

  get waitingCount(): number {
    return this.#turns.waitingWeight
  }

  get isIdle(): boolean {
    const { waiting, running } = this.#turns
    return waiting === undefined && running === undefined && this.#failed.size === 0
  }

  has(key: Key): boolean {
    const { waiting, running } = this.#turns
    return waiting?.keys.has(key) === true || running?.keys.has(key) === true
  }

  /** Runs a task between two groups. The keys that are added meanwhile run before the next task. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#turns.alone(task)
  }

  /** Resolves when all keys that were added so far have run once, whether or not they failed. */
  settled(): Promise<void> {
    return this.#turns.settled()
  }

  /** Ends the retries. Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#retry)
    await this.settled()
    clearTimeout(this.#retry)
  }

  #open(): Group<Key> {
    const group = { keys: new Set<Key>(), outcome: Promise.withResolvers<void>() }
    if (this.#options.onFailure !== undefined) group.outcome.promise.catch(() => undefined)
    return group
  }

  #handleFailure(keys: ReadonlySet<Key>, error: unknown): void {
    const { keepsFailed = false, retryAfterMs, onFailure } = this.#options
    onFailure?.(error)
    if (!keepsFailed && retryAfterMs === undefined) return
    for (const key of keys) this.#failed.add(key)
    if (retryAfterMs === undefined) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(
      () => void this.runFailed().catch(() => undefined),
      retryAfterMs(error),
    )
    this.#retry.unref()
  }
}
