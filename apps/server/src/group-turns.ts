import { setImmediate as endOfTurn } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'

const busyRetryAfterS = 1

/** For whoever could not join. */
export function tooMuchWaits(): DomainError {
  return new DomainError('overloaded', { retryAfterS: busyRetryAfterS })
}

interface GroupTurnsOptions<Group> {
  /** A group with nothing in it yet. */
  readonly open: () => Group
  /**
   * Does what a group waits for, and never rejects.
   * @returns what tells all in the group how that went, called when its turn is over
   */
  readonly run: (group: Group) => Promise<() => void>
  /** What may wait for the next turn, in whatever `join` weighs it by; one thing may always. */
  readonly maxWeight: number
}

/**
 * Runs groups, one after the other: what comes while one runs, or in the same turn of the event loop,
 * shares the next one, so that a database's round trip or synced commit is paid once for all of it.
 */
export class GroupTurns<Group> {
  readonly #options: GroupTurnsOptions<Group>
  readonly #alone: (() => Promise<void>)[] = []
  #waiting: Group | undefined
  #waitingWeight = 0
  #running: Group | undefined
  #isRunning = false
  #idle: Promise<void> = Promise.resolve()

  constructor(options: GroupTurnsOptions<Group>) {
    this.#options = options
  }

  /** The group whose turn is next, to be put into at once; undefined where too much waits for it. */
  join(weight: number): Group | undefined {
    const sum = this.#waitingWeight + weight
    if (this.#waiting !== undefined && sum > this.#options.maxWeight) return undefined
    this.#waiting ??= this.#options.open()
    this.#waitingWeight = sum
    this.#start()
    return this.#waiting
  }

  /** Of what waits for the next turn. */
  get waitingWeight(): number {
    return this.#waitingWeight
  }

  get waiting(): Group | undefined {
    return this.#waiting
  }

  get running(): Group | undefined {
    return this.#running
  }

  /** Runs a task while no group runs. What joins meanwhile waits, and then gets its turn first. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const outcome = Promise.withResolvers<Result>()
    this.#alone.push(() => task().then(outcome.resolve, outcome.reject))
    this.#start()
    return outcome.promise
  }

  /** Resolves when everything that joined so far has had its turn. */
  settled(): Promise<void> {
    return this.#idle
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#idle = this.#runAll()
  }

  async #runAll(): Promise<void> {
    while (this.#waiting !== undefined || this.#alone.length > 0) {
      if (this.#waiting !== undefined) {
        // Without this the first of a turn went alone, and the rest of it waited for a second write.
        await endOfTurn()
        const group = this.#waiting
        this.#running = group
        this.#waiting = undefined
        this.#waitingWeight = 0
        const tell = await this.#options.run(group)
        this.#running = undefined
        tell()
      }
      // Without one the next group begins at once, before the answers to this one are written.
      const task = this.#alone.shift()
      if (task !== undefined) await task()
    }
    this.#isRunning = false
  }
}
