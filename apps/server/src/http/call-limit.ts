import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../cache-bound.ts'

/** The address that called longest ago is forgotten first, so that strangers can't fill the memory. */
const maxAddresses = 10_000

/** Allows each address a number of calls in a window that begins with its first call. */
export class CallLimit {
  readonly #maxCalls: number
  readonly #servers: () => number
  readonly #counts: LRUCache<string, { calls: number }>

  constructor({
    maxCalls,
    windowMs,
    servers = () => 1,
    perf = performance,
  }: {
    readonly maxCalls: number
    readonly windowMs: number
    /** How many servers share the limit. Each allows its part. */
    readonly servers?: () => number
    /** A clock that never jumps. */
    readonly perf?: { readonly now: () => number }
  }) {
    this.#servers = servers
    this.#maxCalls = maxCalls
    this.#counts = new LRUCache({
      ...atMostEntries(maxAddresses),
      ttl: windowMs,
      ttlResolution: 0,
      perf,
    })
  }

  isOver(address: string): boolean {
    return (this.#counts.get(address)?.calls ?? 0) >= this.#maxCalls / this.#servers()
  }

  /** Counts a call. @returns how many ms the address has to wait; 0 if it may go on */
  take(address: string): number {
    const count = this.#counts.get(address)
    if (count === undefined) {
      this.#counts.set(address, { calls: 1 })
      return 0
    }
    count.calls += 1
    return count.calls <= this.#maxCalls / this.#servers()
      ? 0
      : this.#counts.getRemainingTTL(address)
  }
}
