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

type Listener = (change: IslandChange) => Promise<void> | void

/** Tells those who listen what became of islands on this server. */
export class IslandChanges {
  readonly #listeners = new Set<Listener>()

  /** @param listener what it promises never rejects */
  readonly listen = (listener: Listener): void => {
    this.#listeners.add(listener)
  }

  readonly noteChange = (change: IslandChange): void => {
    void this.whenNoted(change)
  }

  /** The same; resolves once memory has it, or can't have it now: whoever changed it sees that everywhere. */
  readonly whenNoted = async (change: IslandChange): Promise<void> => {
    await Promise.all([...this.#listeners].map(async (listener) => await listener(change)))
  }
}
