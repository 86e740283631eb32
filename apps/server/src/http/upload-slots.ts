import type { ServerResponse } from 'node:http'
import { DomainError } from '../domain-error.ts'

/** Bodies that are received at a time. Each may fill an island's share in memory. */
const slotsMax = 4
/** So that one user’s slow uploads don't keep all others out. */
const slotsPerUser = 2

export class UploadSlots {
  /** The user of each slot that is taken. */
  readonly #users: number[] = []

  /** Until the request is answered. @throws DomainError `overloaded` */
  take(response: ServerResponse, userKey: number): void {
    // It emits `close` only once, so its slot would never be free again.
    if (response.destroyed) return
    const own = this.#users.filter((key) => key === userKey)
    if (this.#users.length >= slotsMax || own.length >= slotsPerUser) {
      throw new DomainError('overloaded', { retryAfterS: 10 })
    }
    this.#users.push(userKey)
    response.once('close', () => this.#users.splice(this.#users.indexOf(userKey), 1))
  }
}
