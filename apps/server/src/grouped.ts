import { GroupTurns, tooMuchWaits } from './group-turns.ts'

interface Waiting<Item, Result> {
  readonly item: Item
  readonly outcome: PromiseWithResolvers<Result>
}

interface GroupedOptions<Item> {
  /** The weight of an item while it waits, such as its size in bytes. */
  readonly weigh: (item: Item) => number
  /** Items past this weight are refused. */
  readonly maxWeight: number
}

/**
 * Turns calls for single items into calls of `run`, which answers in the order of its items. If it
 * throws, the whole group fails.
 * @throws DomainError `overloaded` when too much waits
 */
export function grouped<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { weigh, maxWeight }: GroupedOptions<Item>,
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
    maxWeight,
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
