import { Topic } from '../../topic.ts'

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
  readonly #topic = new Topic<[change: IslandChange]>()

  /** @param listener what it promises never rejects */
  readonly listen: (listener: (change: IslandChange) => Promise<void> | void) => void =
    this.#topic.subscribe

  readonly noteChange = (change: IslandChange): void => {
    void this.whenNoted(change)
  }

  /** The same; resolves once memory has it, or can't have it now: whoever changed it sees that everywhere. */
  readonly whenNoted = (change: IslandChange): Promise<void> => this.#topic.publishInTurn(change)
}
