import { feedsPerAddress } from '@astropelago/contract/limits'
import { DomainError } from '../../domain-error.ts'

/** Each costs a socket and some 20 kB; more would take what heartbeats need. */
export const feedsMax = 10_000
const retryAfterS = 30

/** How many connections listen to the feed: in all, and for each address. */
export class FeedSlots {
  readonly #byAddress = new Map<string, number>()
  #taken = 0

  get taken(): number {
    return this.#taken
  }

  /**
   * Takes a slot for an address.
   * @returns what gives it back, once however often it is called
   * @throws DomainError `rate_limited`, `overloaded`
   */
  take(address: string, { isExempt }: { readonly isExempt: boolean }): () => void {
    if (this.#taken >= feedsMax) throw new DomainError('overloaded', { retryAfterS })
    const ofAddress = this.#byAddress.get(address) ?? 0
    if (!isExempt && ofAddress >= feedsPerAddress) {
      throw new DomainError('rate_limited', { retryAfterS })
    }
    this.#taken += 1
    this.#byAddress.set(address, ofAddress + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#taken -= 1
      const left = (this.#byAddress.get(address) ?? 1) - 1
      if (left === 0) this.#byAddress.delete(address)
      else this.#byAddress.set(address, left)
    }
  }
}
