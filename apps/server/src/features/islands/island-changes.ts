/** What became of an island, once it is durable. */
export interface IslandChange {
  readonly islandKey: number
  /** `changed` stands for whatever is shown of it, and for who may know of it and enter. */
  readonly kind: 'changed' | 'gone' | 'log' | 'members' | 'requests'
  /** Of one that is gone, which nobody finds by its key any more. */
  readonly islandId?: string
  /** Whom it concerns beside its host and its members, such as one who was one until now. */
  readonly userKeys?: readonly number[]
}

/** Tells those who listen what became of islands on this server. */
export class IslandChanges {
  readonly #listeners = new Set<(change: IslandChange) => void>()

  readonly listen = (listener: (change: IslandChange) => void): void => {
    this.#listeners.add(listener)
  }

  readonly noteChange = (change: IslandChange): void => {
    for (const listener of this.#listeners) listener(change)
  }
}
