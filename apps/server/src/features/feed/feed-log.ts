import { randomBytes } from 'node:crypto'
import { readSequence, sequenceAt } from '@astropelago/contract/feed'
import type { EventStreamEncoding } from '../../http/event-stream.ts'
import type { PublicKind, PublicMessage } from '../../public-messages.ts'

/** At 200 changes a second these are 80 seconds. Encoded for both kinds of connection it is three times this. */
const jsonBytesMax = 3 << 20

export interface SentMessage extends PublicMessage {
  /** Its number in the order of all messages, if another server gave it one. */
  readonly number?: number
}

interface LoggedMessage extends Pick<PublicMessage, 'type' | 'key'> {
  readonly number: number
  readonly sequence: string
  readonly json: Buffer
}

class FeedBatch {
  readonly jsonBytes: number
  readonly lastNumber: number
  readonly #messages: readonly LoggedMessage[]
  readonly #encoded = new Map<EventStreamEncoding, Buffer>()

  constructor(messages: readonly LoggedMessage[], lastNumber: number) {
    this.#messages = messages
    this.lastNumber = lastNumber
    this.jsonBytes = messages.reduce((sum, { json }) => sum + json.length, 0)
  }

  encoded(encoding: EventStreamEncoding): Buffer | undefined {
    if (this.#messages.length === 0) return undefined
    const cached = this.#encoded.get(encoding)
    if (cached !== undefined) return cached
    const bytes =
      encoding.translate?.(this.#messages) ??
      encoding.batch(this.#messages.map(({ json, sequence }) => encoding.message(json, sequence)))
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  after(number: number): FeedBatch {
    return this.#filter((message) => message.number > number)
  }

  /** Removals stay, because readers that have the subject need them. */
  without(kind: PublicKind, keys: ReadonlySet<number>): FeedBatch {
    return this.#filter(({ type, key }) => type !== kind || !keys.has(key))
  }

  #filter(isLeft: (message: LoggedMessage) => boolean): FeedBatch {
    if (this.#messages.every(isLeft)) return this
    return new FeedBatch(this.#messages.filter(isLeft), this.lastNumber)
  }
}

/** The last public changes: a reader with the sequence `<epoch>-<n>` gets what came after n. */
export class FeedLog {
  readonly #epoch: string
  readonly #batches: FeedBatch[] = []
  #jsonBytes = 0
  #lastNumber = 0
  #forgottenNumber = 0
  /** Messages to withdraw before anybody reads on. One pass handles a thousand devices. */
  readonly #withdrawn = new Map<PublicKind, Set<number>>()

  /** @param epoch distinguishes starts of a server or, of servers on one database, their histories */
  constructor(epoch = randomBytes(6).toString('base64url'), number = 0) {
    this.#epoch = epoch
    this.#lastNumber = number
    this.#forgottenNumber = number
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  get sequence(): string {
    return sequenceAt({ epoch: this.#epoch, number: this.#lastNumber })
  }

  /** @param upTo the last place taken, if the messages there were withdrawn */
  append(messages: readonly SentMessage[], upTo = 0): FeedBatch {
    this.#applyWithdrawals()
    const numbered = messages.map((message): LoggedMessage => {
      const { type, key } = message
      const number = message.number ?? this.#lastNumber + 1
      this.#lastNumber = number
      const { sequence } = this
      return { number, sequence, type, key, json: jsonOf(message, sequence) }
    })
    this.#lastNumber = Math.max(this.#lastNumber, upTo)
    const batch = new FeedBatch(numbered, this.#lastNumber)
    this.#batches.push(batch)
    this.#jsonBytes += batch.jsonBytes
    while (this.#jsonBytes > jsonBytesMax) this.#forgetOldest()
    return batch
  }

  /** What came after a sequence, oldest first; undefined if that is unknown or no longer known. */
  since(sequence: string): readonly FeedBatch[] | undefined {
    this.#applyWithdrawals()
    const position = readSequence(sequence)
    if (position?.epoch !== this.#epoch) return undefined
    const { number } = position
    if (number < this.#forgottenNumber || number > this.#lastNumber) return undefined
    const first = this.#batches.findIndex((batch) => batch.lastNumber > number)
    const [partly, ...whole] = first === -1 ? [] : this.#batches.slice(first)
    return partly === undefined ? [] : [partly.after(number), ...whole]
  }

  withdraw(kind: PublicKind, key: number): void {
    const keys = this.#withdrawn.get(kind) ?? new Set()
    this.#withdrawn.set(kind, keys.add(key))
  }

  /** Whether a sequence is still to come, for example one that another server has reached. */
  isAhead(sequence: string): boolean {
    const position = readSequence(sequence)
    return position?.epoch === this.#epoch && position.number > this.#lastNumber
  }

  /** After more changes than are worth sending, every reader has to load the list. */
  forgetAll(upTo = this.#lastNumber + 1): void {
    this.#withdrawn.clear()
    this.#batches.length = 0
    this.#jsonBytes = 0
    this.#lastNumber = upTo
    this.#forgottenNumber = upTo
  }

  #applyWithdrawals(): void {
    for (const [kind, keys] of this.#withdrawn) {
      for (const [i, batch] of this.#batches.entries()) {
        const rest = batch.without(kind, keys)
        this.#jsonBytes += rest.jsonBytes - batch.jsonBytes
        this.#batches[i] = rest
      }
    }
    this.#withdrawn.clear()
  }

  #forgetOldest(): void {
    const oldest = this.#batches.shift()
    if (oldest === undefined) return
    this.#jsonBytes -= oldest.jsonBytes
    this.#forgottenNumber = oldest.lastNumber
  }
}

function jsonOf({ type, payload }: PublicMessage, sequence: string): Buffer {
  return Buffer.concat([
    Buffer.from(`{"type":"${type}","payload":`),
    payload,
    Buffer.from(`,"sequence":"${sequence}"}`),
  ])
}
