import { Topic } from '../../topic.ts'

/** A change to an island, published once it is durable. */
export interface IslandChange {
  readonly islandKey: number
  /** `changed` covers everything shown of it, and who may see and enter it. */
  readonly kind: 'changed' | 'gone' | 'log' | 'members' | 'requests'
  /** Set if the island is gone, when its key no longer finds it. */
  readonly islandId?: string
  /** Users to notify besides its host and members, such as a former member. */
  readonly userKeys?: readonly number[]
}

/** Notifies subscribers on this server of changes to islands. */
export class IslandChanges {
  readonly #topic = new Topic<[change: IslandChange]>()

  /** @param listener its promise never rejects */
  readonly listen: (listener: (change: IslandChange) => Promise<void> | void) => void =
    this.#topic.subscribe

  readonly noteChange = (change: IslandChange): void => {
    void this.whenNoted(change)
  }

  /**
   * Resolves once memory has the change, or can't have it now. After that, its author sees it everywhere.
   */
  readonly whenNoted = (change: IslandChange): Promise<void> => this.#topic.publishInTurn(change)
}
