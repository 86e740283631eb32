import type { ClusterStore } from './cluster-store.ts'

/** The lease is renewed every second. Without a renewal another server leads after this time. */
const leaseMs = 2500
const marginMs = 250

/** The lease that makes one server at a time the leader, by the database's clock. */
export class Leadership {
  readonly #store: Pick<ClusterStore, 'renew' | 'resign'>
  #term: number | undefined
  #untilMs = 0

  constructor(store: Pick<ClusterStore, 'renew' | 'resign'>) {
    this.#store = store
  }

  /** Undefined while this server does not lead, as far as it knows. Its writes have to check the term. */
  get term(): number | undefined {
    return performance.now() < this.#untilMs ? this.#term : undefined
  }

  /** @returns when it begins to lead, how far the previous leader had come, which may have been this server */
  async renew() {
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

  async resign(): Promise<void> {
    const { term } = this
    this.#untilMs = 0
    if (term !== undefined) await this.#store.resign(term)
  }
}
