import type { Route } from '@astropelago/contract/route'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import { etagOf, matchesEtag } from '../../http/negotiation.ts'

const defaultMaxBytes = 16 * 1024 * 1024
const overheadBytes = 1000
/** Uptimes change over time, and openings of islands are recorded with a short delay. */
export const cachedForMs = 10_000
/** Subjects that share a slot count as changed together. */
const slots = 1 << 14

/** A distinct number for each device, island and check. */
export type Subject = number

export function deviceSubject(deviceKey: number): Subject {
  return 3 * deviceKey
}

export function islandSubject(islandKey: number): Subject {
  return 3 * islandKey + 1
}

export function checkSubject(checkKey: number): Subject {
  return 3 * checkKey + 2
}

interface CachedAnswer {
  readonly subject: Subject
  readonly route: Route
  readonly answer: PreparedAnswer
  readonly untilMs: number
}

/** Answers by address. They are dropped before anybody is notified of a change to their subject. */
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

export interface PreparedAnswer {
  readonly body: Buffer
  readonly type: string
  readonly etag: string
  readonly modifiedMs: number | undefined
  /** All except the type. Answers without a body have them too. */
  readonly headers: Readonly<Record<string, string>>
}

/** Any page may embed it. Clients ask each time, and get it again only if it changed. */
export const forAnyPage = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function prepareAnswer(text: string, type: string, modifiedMs?: number): PreparedAnswer {
  const body = Buffer.from(text)
  const etag = etagOf(body)
  const modified = modifiedMs !== undefined && {
    'last-modified': new Date(modifiedMs).toUTCString(),
  }
  return { body, type, etag, modifiedMs, headers: { ...forAnyPage, etag, ...modified } }
}

export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PreparedAnswer,
): { readonly status: 304 } | undefined {
  reply.headers(answer.headers)
  if (isUnchanged(request, answer)) return { status: 304 }
  reply.type(answer.type).send(answer.body)
  return undefined
}

/** If the client sends an ETag, its time is ignored (RFC 9110, 13.1.3). */
function isUnchanged({ headers }: FastifyRequest, { etag, modifiedMs }: PreparedAnswer): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag)
  const sinceMs = Date.parse(headers['if-modified-since'] ?? '')
  return modifiedMs !== undefined && Math.floor(modifiedMs / 1000) * 1000 <= sinceMs
}
