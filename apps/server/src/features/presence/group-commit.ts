import { setImmediate as endOfTurn } from 'node:timers/promises'
import { DomainError } from '../../domain-error.ts'

interface Group {
  readonly keys: Set<number>
  /** How many wait for it: more than there are keys, where some came twice. */
  waiters: number
  /** Settles for all who wait at once: a heartbeat costs a set entry, not a promise. */
  readonly outcome: PromiseWithResolvers<void>
}

const busyRetryAfterS = 1

/**
 * Commits keys in groups. Those that arrive while a commit runs, or in the same turn of the event loop,
 * share the next one, so that the cost of a durable write is paid once for all of them; a key that
 * arrives twice is written once.
 */
export class GroupCommit {
  readonly #commit: (keys: ReadonlySet<number>) => Promise<void>
  readonly #maxWaiting: number
  readonly #alone: (() => Promise<void>)[] = []
  #waiting: Group = newGroup()
  #running: Group | undefined
  #isRunning = false
  #idle: Promise<void> = Promise.resolve()

  constructor(commit: (keys: ReadonlySet<number>) => Promise<void>, maxWaiting: number) {
    this.#commit = commit
    this.#maxWaiting = maxWaiting
  }

  /**
   * Resolves when the key is durable.
   * @throws DomainError `overloaded` when too many wait; whatever the commit throws
   */
  add(key: number): Promise<void> {
    const group = this.#waiting
    if (group.waiters >= this.#maxWaiting) {
      return Promise.reject(new DomainError('overloaded', { retryAfterS: busyRetryAfterS }))
    }
    group.keys.add(key)
    group.waiters += 1
    this.#start()
    return group.outcome.promise
  }

  /** Runs a task while nothing commits. What is added meanwhile waits, and then gets its turn first. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const outcome = Promise.withResolvers<Result>()
    this.#alone.push(async () => {
      try {
        outcome.resolve(await task())
      } catch (error) {
        outcome.reject(error)
      }
    })
    this.#start()
    return outcome.promise
  }

  /** Whether a key waits for a commit or takes part in one. */
  has(key: number): boolean {
    return this.#waiting.keys.has(key) || this.#running?.keys.has(key) === true
  }

  /** Resolves when everything added so far is settled. */
  settled(): Promise<void> {
    return this.#idle
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#idle = this.#run()
  }

  async #run(): Promise<void> {
    while (this.#waiting.keys.size > 0 || this.#alone.length > 0) {
      if (this.#waiting.keys.size > 0) {
        // Without this the first of a turn went alone, and the rest of it waited for a second write.
        await endOfTurn()
        const group = this.#waiting
        this.#running = group
        this.#waiting = newGroup()
        try {
          await this.#commit(group.keys)
          group.outcome.resolve()
        } catch (error) {
          group.outcome.reject(error)
        }
        this.#running = undefined
      }
      // Without one the next group begins at once, before the answers to this one are written.
      const task = this.#alone.shift()
      if (task !== undefined) await task()
    }
    this.#isRunning = false
  }
}

function newGroup(): Group {
  return { keys: new Set(), waiters: 0, outcome: Promise.withResolvers<void>() }
}
