import { DomainError } from '../domain-error.ts'

const retryAfterS = 30

interface StreamSlotsOptions {
  readonly max: number
  readonly perAddress: number
}

export class StreamSlots {
  readonly #options: StreamSlotsOptions
  readonly #byAddress = new Map<string, number>()
  #taken = 0

  constructor(options: StreamSlotsOptions) {
    this.#options = options
  }

  get taken(): number {
    return this.#taken
  }

  /** Call the result to free the slot. @throws DomainError `rate_limited`, `overloaded` */
  take(address: string, { isExempt }: { readonly isExempt: boolean }): () => void {
    const { max, perAddress } = this.#options
    if (this.#taken >= max) throw new DomainError('overloaded', { retryAfterS })
    const ofAddress = this.#byAddress.get(address) ?? 0
    if (!isExempt && ofAddress >= perAddress) {
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
