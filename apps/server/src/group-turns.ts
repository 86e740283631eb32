import { setImmediate as endOfTurn, setTimeout as wait } from 'node:timers/promises'
import { DomainError } from './domain-error.ts'

const busyRetryAfterS = 1

export function tooMuchWaits(): DomainError {
  return new DomainError('overloaded', { retryAfterS: busyRetryAfterS })
}

interface GroupTurnsOptions<Group> {
  readonly open: () => Group
  /** Never rejects. @returns a function that reports the outcome to the group after its turn */
  readonly run: (group: Group) => Promise<() => void>
  /** A group runs this many milliseconds after the one before it began, so that more share one. */
  readonly everyMs?: number
  /** How much may wait for the next turn, in the unit that `join` uses. One item may always wait. */
  readonly maxWeight: number
}

/** What comes while a group runs, or in the same turn, shares the next one and its round trip or commit. */
export class GroupTurns<Group> {
  readonly #options: GroupTurnsOptions<Group>
  readonly #alone: (() => Promise<void>)[] = []
  #waiting: Group | undefined
  #waitingWeight = 0
  #running: Group | undefined
  #isRunning = false
  #begunMs = Number.NEGATIVE_INFINITY
  #idle: Promise<void> = Promise.resolve()

  constructor(options: GroupTurnsOptions<Group>) {
    this.#options = options
  }

  /** The group whose turn is next, to be filled at once; undefined if too much waits for it. */
  join(weight: number): Group | undefined {
    const sum = this.#waitingWeight + weight
    if (this.#waiting !== undefined && sum > this.#options.maxWeight) return undefined
    this.#waiting ??= this.#options.open()
    this.#waitingWeight = sum
    this.#start()
    return this.#waiting
  }

  get waitingWeight(): number {
    return this.#waitingWeight
  }

  get waiting(): Group | undefined {
    return this.#waiting
  }

  get running(): Group | undefined {
    return this.#running
  }

  /** Runs a task while no group runs. What joins meanwhile waits and has its turn before the next task. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const outcome = Promise.withResolvers<Result>()
    this.#alone.push(() => task().then(outcome.resolve, outcome.reject))
    this.#start()
    return outcome.promise
  }

  settled(): Promise<void> {
    return this.#idle
  }

  async #untilDue(): Promise<void> {
    const { everyMs = 0 } = this.#options
    const restMs = this.#begunMs + everyMs - performance.now()
    if (restMs > 0) await wait(restMs)
    this.#begunMs = performance.now()
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#idle = this.#runAll()
  }

  async #runAll(): Promise<void> {
    while (this.#waiting !== undefined || this.#alone.length > 0) {
      if (this.#waiting !== undefined) {
        // Without this, the first item of a turn ran alone and the rest waited for a second write.
        await endOfTurn()
        await this.#untilDue()
        const group = this.#waiting
        this.#running = group
        this.#waiting = undefined
        this.#waitingWeight = 0
        const report = await this.#options.run(group)
        this.#running = undefined
        report()
      }
      // Only wait for a task if there is one: the next group then begins before the answers to this one
      // are written.
      const task = this.#alone.shift()
      if (task !== undefined) await task()
    }
    this.#isRunning = false
  }
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly outcome: PromiseWithResolvers<Result>
}

interface GroupedOptions<Item> {
  readonly everyMs?: number
  readonly weigh: (item: Item) => number
  readonly maxWeight: number
}

/** @param run answers in the order of its items @throws DomainError `overloaded` when too much waits */
export function grouped<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { weigh, ...limits }: GroupedOptions<Item>,
): (item: Item) => Promise<Result> {
  const turns = new GroupTurns<Waiting<Item, Result>[]>({
    open: () => [],
    run: async (group) => {
      try {
        const results = await run(group.map(({ item }) => item))
        return () => {
          for (const [i, { outcome }] of group.entries()) settle(outcome, results[i])
        }
      } catch (error) {
        return () => {
          for (const { outcome } of group) outcome.reject(error)
        }
      }
    },
    ...limits,
  })
  return async (item) => {
    const group = turns.join(weigh(item))
    if (group === undefined) throw tooMuchWaits()
    const outcome = Promise.withResolvers<Result>()
    group.push({ item, outcome })
    return await outcome.promise
  }
}

function settle<Result>(outcome: PromiseWithResolvers<Result>, result: Result | undefined): void {
  if (result === undefined) outcome.reject(new Error('a group left one of its items unanswered'))
  else outcome.resolve(result)
}
