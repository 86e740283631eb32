import type { ClusterStore, Cursors } from './cluster-store.ts'

/** Renewed every second; without that another server leads after this. */
const leaseMs = 2500
/** What the way to the database and back may have taken of it. */
const marginMs = 250

/** The lease by which one server at a time leads, by the database's clock. */
export class Leadership {
  readonly #store: Pick<ClusterStore, 'renew' | 'resign'>
  #term: number | undefined
  #untilMs = 0

  constructor(store: Pick<ClusterStore, 'renew' | 'resign'>) {
    this.#store = store
  }

  /** Undefined where this server does not lead, as far as it knows: what it writes has to check that. */
  get term(): number | undefined {
    return performance.now() < this.#untilMs ? this.#term : undefined
  }

  /**
   * Says that this server lives, and takes or keeps the lease where it can.
   * @returns where it begins to lead, how far the one before had come: also where that was this one, whose
   * lease ran out here meanwhile
   */
  async renew(): Promise<{
    readonly isRegistered: boolean
    readonly isHeld: boolean
    readonly begins: Cursors | undefined
  }> {
    const startMs = performance.now()
    const { isRegistered, lease } = await this.#store.renew(leaseMs)
    const goesOn = this.term !== undefined && lease?.term === this.#term
    this.#term = lease?.term
    this.#untilMs = lease === undefined ? 0 : startMs + leaseMs - marginMs
    return {
      isRegistered,
      isHeld: lease !== undefined,
      begins: goesOn ? undefined : lease?.cursors,
    }
  }

  /** Lets another server lead at once. */
  async resign(): Promise<void> {
    const { term } = this
    this.#untilMs = 0
    if (term !== undefined) await this.#store.resign(term)
  }
}
