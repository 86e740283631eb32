import { GroupTurns, tooMuchWaits } from '../../group-turns.ts'

interface Group {
  readonly keys: Set<number>
  /** Settles for all who wait at once: a heartbeat costs a set entry, not a promise. */
  readonly outcome: PromiseWithResolvers<void>
}

/** Commits keys in groups; a key that arrives twice is written once. */
export class GroupCommit {
  readonly #turns: GroupTurns<Group>

  /** @param maxWaiting how many may wait for a group, keys that came twice counted twice */
  constructor(commit: (keys: ReadonlySet<number>) => Promise<void>, maxWaiting: number) {
    this.#turns = new GroupTurns<Group>({
      open: () => ({ keys: new Set(), outcome: Promise.withResolvers() }),
      run: ({ keys, outcome }) =>
        commit(keys).then(
          () => outcome.resolve,
          (error: unknown) => () => outcome.reject(error),
        ),
      maxWeight: maxWaiting,
    })
  }

  /**
   * Resolves when the key is durable.
   * @throws DomainError `overloaded` when too many wait; whatever the commit throws
   */
  add(key: number): Promise<void> {
    const group = this.#turns.join(1)
    if (group === undefined) return Promise.reject(tooMuchWaits())
    group.keys.add(key)
    return group.outcome.promise
  }

  /** How many wait for the next group. */
  get waitingCount(): number {
    return this.#turns.waitingWeight
  }

  /** Runs a task while nothing commits. What is added meanwhile waits, and then gets its turn first. */
  alone<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#turns.alone(task)
  }

  /** Whether a key waits for a commit or takes part in one. */
  has(key: number): boolean {
    const { waiting, running } = this.#turns
    return waiting?.keys.has(key) === true || running?.keys.has(key) === true
  }

  /** Resolves when everything added so far is settled. */
  settled(): Promise<void> {
    return this.#turns.settled()
  }
}
