import { randomBytes } from 'node:crypto'
import { readSequence, sequenceAt } from '@astropelago/contract/feed'
import { FeedBatch } from './feed-batch.ts'
import type { PublicKind } from '../../public-messages.ts'
import { messageJson, type FeedMessage, type PublicMessage } from './feed-message.ts'

/**
 * Encoded for both kinds of connection it is three times this size. At 200 changes a second it covers 80
 * seconds. A reader that was away for longer loads the list.
 */
const keptBytesMax = 3 << 20

/**
 * The order of all public changes since the server's start, and the last of them in full: a reader with the
 * sequence `<epoch>-<n>` gets what came after n.
 */
export class FeedLog {
  readonly #epoch: string
  readonly #batches: FeedBatch[] = []
  #keptBytes = 0
  #lastNumber = 0
  /** Messages up to this number are no longer here. */
  #forgottenNumber = 0
  /** Messages to withdraw before anybody reads on. One pass handles a thousand devices. */
  readonly #withdrawn = new Map<PublicKind, Set<number>>()

  /**
   * @param epoch tells one start of the server from another, or, if servers share their messages, one
   * history of all of them from another
   * @param number the last message so far
   */
  constructor(epoch = randomBytes(6).toString('base64url'), number = 0) {
    this.#epoch = epoch
    this.#lastNumber = number
    this.#forgottenNumber = number
  }

  get lastNumber(): number {
    return this.#lastNumber
  }

  get sequence(): string {
    return this.#sequenceOf(this.#lastNumber)
  }

  /**
   * Gives messages their places in order, unless they have one.
   * @param upTo the last place taken, if the messages there were withdrawn
   */
  append(messages: readonly PublicMessage[], upTo = 0): FeedBatch {
    this.#takeBack()
    const numbered = messages.map((message): FeedMessage => {
      const { type, key } = message
      const number = message.number ?? this.#lastNumber + 1
      this.#lastNumber = number
      return { number, type, key, json: messageJson(message, this.#sequenceOf(number)) }
    })
    this.#lastNumber = Math.max(this.#lastNumber, upTo)
    const sequenceOf = (number: number) => this.#sequenceOf(number)
    const batch = new FeedBatch(numbered, sequenceOf, this.#lastNumber)
    this.#batches.push(batch)
    this.#keptBytes += batch.jsonBytes
    while (this.#keptBytes > keptBytesMax) this.#forgetOldest()
    return batch
  }

  /** What came after a sequence, oldest first; undefined if that is unknown or no longer known. */
  since(sequence: string): readonly FeedBatch[] | undefined {
    this.#takeBack()
    const position = readSequence(sequence)
    if (position?.epoch !== this.#epoch) return undefined
    const { number } = position
    if (number < this.#forgottenNumber || number > this.#lastNumber) return undefined
    const first = this.#batches.findIndex((batch) => batch.lastNumber > number)
    const [partly, ...whole] = first === -1 ? [] : this.#batches.slice(first)
    return partly === undefined ? [] : [partly.after(number), ...whole]
  }

  /** Withdraws the messages about one thing from everybody who reads later. */
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
    this.#keptBytes = 0
    this.#lastNumber = upTo
    this.#forgottenNumber = this.#lastNumber
  }

  #takeBack(): void {
    for (const [kind, keys] of this.#withdrawn) {
      for (const [i, batch] of this.#batches.entries()) {
        const rest = batch.without(kind, keys)
        this.#keptBytes += rest.jsonBytes - batch.jsonBytes
        this.#batches[i] = rest
      }
    }
    this.#withdrawn.clear()
  }

  #sequenceOf(number: number): string {
    return sequenceAt({ epoch: this.#epoch, number })
  }

  #forgetOldest(): void {
    const oldest = this.#batches.shift()
    if (oldest === undefined) return
    this.#keptBytes -= oldest.jsonBytes
    this.#forgottenNumber = oldest.lastNumber
  }
}
