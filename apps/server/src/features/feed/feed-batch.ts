import type { PublicKind } from '../../public-messages.ts'
import type { FeedEncoding } from './feed-encoding.ts'
import type { FeedMessage } from './feed-message.ts'

/** Messages that are sent together, encoded once for all readers on one kind of connection. */
export class FeedBatch {
  readonly jsonBytes: number
  readonly #messages: readonly FeedMessage[]
  readonly #lastNumber: number
  readonly #sequenceOf: (number: number) => string
  readonly #encoded = new Map<FeedEncoding, Buffer>()

  constructor(
    messages: readonly FeedMessage[],
    sequenceOf: (number: number) => string,
    lastNumber = messages.at(-1)?.number ?? 0,
  ) {
    this.#messages = messages
    this.#sequenceOf = sequenceOf
    this.#lastNumber = lastNumber
    this.jsonBytes = messages.reduce((sum, { json }) => sum + json.length, 0)
  }

  /** The number of its last message, even if that was withdrawn. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /** Undefined if nothing is left to send. */
  encoded(encoding: FeedEncoding): Buffer | undefined {
    if (this.#messages.length === 0) return undefined
    const known = this.#encoded.get(encoding)
    if (known !== undefined) return known
    const bytes = encoding.batch(
      this.#messages.map(({ json, number }) => encoding.message(json, this.#sequenceOf(number))),
    )
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  after(number: number): FeedBatch {
    if (this.#messages.every((message) => message.number > number)) return this
    return this.#of(this.#messages.filter((message) => message.number > number))
  }

  /**
   * The batch without messages about these things. Removals stay, because readers who have the thing need
   * them.
   */
  without(kind: PublicKind, keys: ReadonlySet<number>): FeedBatch {
    const isWithdrawn = (message: FeedMessage) => message.type === kind && keys.has(message.key)
    if (!this.#messages.some(isWithdrawn)) return this
    return this.#of(this.#messages.filter((message) => !isWithdrawn(message)))
  }

  #of(messages: readonly FeedMessage[]): FeedBatch {
    return new FeedBatch(messages, this.#sequenceOf, this.#lastNumber)
  }
}
