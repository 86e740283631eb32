import { randomBytes } from 'node:crypto'
import { FeedBatch } from './feed-batch.ts'
import type { FeedMessage } from './feed-message.ts'

/**
 * Encoded for both kinds of connection it is three times as much. At 200 changes a second, 80 seconds;
 * a reader that was away for longer loads the list.
 */
const keptBytesMax = 3 << 20

/**
 * The order of all changes of public devices since the server's start, and the last of them in full:
 * whoever has the sequence `<epoch>-<n>` gets what came after n.
 */
export class FeedLog {
  readonly #epoch: string
  readonly #batches: FeedBatch[] = []
  #keptBytes = 0
  #lastNumber = 0
  /** What came up to this number is no longer here. */
  #forgottenNumber = 0

  /** @param epoch Tells one start of the server from another. */
  constructor(epoch = randomBytes(6).toString('base64url')) {
    this.#epoch = epoch
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  get sequence(): string {
    return this.sequenceOf(this.#lastNumber)
  }

  sequenceOf(number: number): string {
    return `${this.#epoch}-${number}`
  }

  /** Takes messages whose numbers follow the last one. */
  append(messages: readonly FeedMessage[]): FeedBatch {
    const batch = new FeedBatch(messages, (number) => this.sequenceOf(number))
    this.#batches.push(batch)
    this.#lastNumber += messages.length
    this.#keptBytes += batch.jsonBytes
    while (this.#keptBytes > keptBytesMax) this.#forgetOldest()
    return batch
  }

  /** What came after a sequence, oldest first; undefined when that is not known (any more). */
  since(sequence: string): readonly FeedBatch[] | undefined {
    const number = this.#numberOf(sequence)
    if (number === undefined) return undefined
    if (number < this.#forgottenNumber || number > this.#lastNumber) return undefined
    const first = this.#batches.findIndex((batch) => batch.lastNumber > number)
    const [partly, ...whole] = first === -1 ? [] : this.#batches.slice(first)
    return partly === undefined ? [] : [partly.after(number), ...whole]
  }

  /** Takes back what was told of a device that is public no more, from all who read it later on. */
  withdraw(deviceKey: number): void {
    for (const [i, batch] of this.#batches.entries()) {
      const rest = batch.without(deviceKey)
      this.#keptBytes += rest.jsonBytes - batch.jsonBytes
      this.#batches[i] = rest
    }
  }

  /** After more changes than are worth telling: every reader has to load the list. */
  forgetAll(): void {
    this.#batches.length = 0
    this.#keptBytes = 0
    this.#lastNumber += 1
    this.#forgottenNumber = this.#lastNumber
  }

  #forgetOldest(): void {
    const oldest = this.#batches.shift()
    if (oldest === undefined) return
    this.#keptBytes -= oldest.jsonBytes
    this.#forgottenNumber = oldest.lastNumber
  }

  #numberOf(sequence: string): number | undefined {
    const prefix = `${this.#epoch}-`
    const digits = sequence.startsWith(prefix) ? sequence.slice(prefix.length) : ''
    return /^(0|[1-9]\d{0,14})$/.test(digits) ? Number(digits) : undefined
  }
}
