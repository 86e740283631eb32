import type { Route } from '@astropelago/contract/route'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { PreparedAnswer } from './prepared-answer.ts'

const defaultMaxBytes = 16 * 1024 * 1024
/** What an answer costs beside its address and its bytes. */
const overheadBytes = 1000
/** An uptime changes by itself, and islands are put on record a moment after they open. */
export const keptForMs = 10_000
/** Things that share a place among these are taken to have changed together. */
const places = 1 << 14

/** What an answer tells of: a number of its own for each device and each island. */
export type Subject = number

export function deviceSubject(deviceKey: number): Subject {
  return 2 * deviceKey
}

export function islandSubject(islandKey: number): Subject {
  return 2 * islandKey + 1
}

interface KeptAnswersOptions {
  readonly clock: Clock
  /** Answers are kept up to this much memory; those asked for longest ago go first. */
  readonly maxBytes?: number
}

interface KeptAnswer {
  readonly subject: Subject
  readonly route: Route
  readonly answer: PreparedAnswer
  readonly untilMs: number
}

/**
 * Answers as they go over the wire, by the addresses that they were asked for at. One is dropped when what it
 * tells of may have changed, before anybody hears that it did.
 */
export class KeptAnswers {
  readonly #clock: Clock
  readonly #answers: LRUCache<string, KeptAnswer>
  readonly #addresses = new Map<Subject, Set<string>>()
  /** Grows with each change; beside it, at which count something last changed. */
  #changes = 0
  readonly #changedAt = new Float64Array(places)

  constructor({ clock, maxBytes = defaultMaxBytes }: KeptAnswersOptions) {
    this.#clock = clock
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ answer }, address) =>
        overheadBytes + 2 * address.length + answer.body.length,
      dispose: ({ subject }, address) => this.#dropAddress(subject, address),
    })
  }

  find(address: string): KeptAnswer | undefined {
    const kept = this.#answers.get(address)
    return kept !== undefined && this.#clock() < kept.untilMs ? kept : undefined
  }

  /** To be called before the first look at what an answer is made from. */
  begin(): number {
    return this.#changes
  }

  /** Keeps what was made since `begun`, unless its subject has changed meanwhile. */
  keep(
    begun: number,
    address: string,
    { forMs = keptForMs, ...made }: Omit<KeptAnswer, 'untilMs'> & { readonly forMs?: number },
  ): void {
    if ((this.#changedAt[made.subject % places] ?? 0) > begun) return
    this.#answers.set(address, { ...made, untilMs: this.#clock() + forMs })
    const addresses = this.#addresses.get(made.subject)
    if (!this.#answers.has(address)) return
    if (addresses === undefined) this.#addresses.set(made.subject, new Set([address]))
    else addresses.add(address)
  }

  noteChange(subject: Subject): void {
    this.#changes += 1
    this.#changedAt[subject % places] = this.#changes
    for (const address of this.#addresses.get(subject) ?? []) this.#answers.delete(address)
  }

  #dropAddress(subject: Subject, address: string): void {
    const addresses = this.#addresses.get(subject)
    addresses?.delete(address)
    if (addresses?.size === 0) this.#addresses.delete(subject)
  }
}
