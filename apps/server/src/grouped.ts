import { DomainError } from './domain-error.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly outcome: PromiseWithResolvers<Result>
}

interface GroupedOptions<Item> {
  /** What an item weighs while it waits, such as its size in bytes. */
  readonly weigh: (item: Item) => number
  /** Past this, items are refused. */
  readonly maxWeight: number
}

const busyRetryAfterS = 1

/**
 * Makes one-by-one calls of something that handles many at once: items that arrive while a group
 * runs share the next one, so that a database's round trip or synced commit is paid once for all.
 * `run` answers in the order of its items; what it throws, the whole group gets.
 * The returned function throws DomainError `overloaded` when too much waits.
 */
export function grouped<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { weigh, maxWeight }: GroupedOptions<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let waitingWeight = 0
  let isRunning = false

  const runAll = async () => {
    isRunning = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      waitingWeight = 0
      try {
        const results = await run(group.map(({ item }) => item))
        for (const [i, { outcome }] of group.entries()) settle(outcome, results[i])
      } catch (error) {
        for (const { outcome } of group) outcome.reject(error)
      }
    }
    isRunning = false
  }

  return (item) => {
    const weight = weigh(item)
    if (waiting.length > 0 && waitingWeight + weight > maxWeight) {
      return Promise.reject(new DomainError('overloaded', { retryAfterS: busyRetryAfterS }))
    }
    const outcome = Promise.withResolvers<Result>()
    waiting.push({ item, outcome })
    waitingWeight += weight
    if (!isRunning) void runAll()
    return outcome.promise
  }
}

function settle<Result>(outcome: PromiseWithResolvers<Result>, result: Result | undefined): void {
  if (result === undefined) outcome.reject(new Error('a group left one of its items unanswered'))
  else outcome.resolve(result)
}
