import type { ServerResponse } from 'node:http'
import { DomainError } from '../../domain-error.ts'

/** Bodies that are received at a time. Each may fill an island's share in memory. */
const slotsMax = 4

export class UploadSlots {
  #taken = 0

  /** Until the request is answered. @throws DomainError `overloaded` */
  take(response: ServerResponse): void {
    if (this.#taken >= slotsMax) throw new DomainError('overloaded', { retryAfterS: 10 })
    this.#taken += 1
    response.once('close', () => {
      this.#taken -= 1
    })
  }
}
