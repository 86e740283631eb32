import type { Route } from '@astropelago/contract/route'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { PreparedAnswer } from './prepared-answer.ts'

const defaultMaxBytes = 16 * 1024 * 1024
const overheadBytes = 1000
/** Uptimes change over time, and openings of islands are recorded with a short delay. */
export const cachedForMs = 10_000
/** Subjects that share a slot count as changed together. */
const slots = 1 << 14

/** What an answer is about: a distinct number for each device and each island. */
export type Subject = number

export function deviceSubject(deviceKey: number): Subject {
  return 2 * deviceKey
}

export function islandSubject(islandKey: number): Subject {
  return 2 * islandKey + 1
}

interface CachedAnswer {
  readonly subject: Subject
  readonly route: Route
  readonly answer: PreparedAnswer
  readonly untilMs: number
}

/**
 * Answers as they are sent, by address. An answer is dropped when its subject may have changed, before
 * anybody is notified of the change.
 */
export class CachedAnswers {
  readonly #clock: Clock
  readonly #answers: LRUCache<string, CachedAnswer>
  readonly #addresses = new Map<Subject, Set<string>>()
  /** Counts changes; the array holds the count at the last change of each slot. */
  #changes = 0
  readonly #changedAt = new Float64Array(slots)

  constructor({ clock, maxBytes = defaultMaxBytes }: { clock: Clock; maxBytes?: number }) {
    this.#clock = clock
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }, address) =>
        overheadBytes + 2 * address.length + answer.body.length,
      dispose: ({ subject }, address) => this.#dropAddress(subject, address),
    })
  }

  find(address: string): CachedAnswer | undefined {
    const cached = this.#answers.get(address)
    return cached !== undefined && this.#clock() < cached.untilMs ? cached : undefined
  }

  /** Call this before reading what an answer is made from. */
  begin(): number {
    return this.#changes
  }

  /** Caches an answer made since `begun`, unless its subject has changed meanwhile. */
  add(
    begun: number,
    address: string,
    { forMs = cachedForMs, ...made }: Omit<CachedAnswer, 'untilMs'> & { readonly forMs?: number },
  ): void {
    if ((this.#changedAt[made.subject % slots] ?? 0) > begun) return
    this.#answers.set(address, { ...made, untilMs: this.#clock() + forMs })
    const addresses = this.#addresses.get(made.subject)
    if (!this.#answers.has(address)) return
    if (addresses === undefined) this.#addresses.set(made.subject, new Set([address]))
    else addresses.add(address)
  }

  drop(subject: Subject): void {
    this.#changes += 1
    this.#changedAt[subject % slots] = this.#changes
    for (const address of this.#addresses.get(subject) ?? []) this.#answers.delete(address)
  }

  #dropAddress(subject: Subject, address: string): void {
    const addresses = this.#addresses.get(subject)
    addresses?.delete(address)
    if (addresses?.size === 0) this.#addresses.delete(subject)
  }
}
