import type { PublicKind } from '../../public-messages.ts'
import type { FeedEncoding } from './feed-encoding.ts'
import { FeedLog } from './feed-log.ts'
import { reloadJson, type PublicMessage } from './feed-message.ts'

/** What a reader may leave unread beyond what it was greeted with: at 200 changes a second, 25 s. */
export const unreadBytesMax = 1 << 20

type EndReason = 'reload' | 'slow' | 'shutdown'

/** One connection that listens. Bytes written are shared with others and must not be changed. */
export interface FeedReader {
  readonly encoding: FeedEncoding
  readonly write: (bytes: Buffer) => void
  /** What was written and did not leave yet. */
  readonly unreadBytes: () => number
  /** Ends the connection after all that was written. */
  readonly end: (reason: EndReason) => void
  /** Drops the connection with all that was written. */
  readonly destroy: () => void
}

interface Listening {
  /** What it may leave unread: until it has read its greeting, that is granted on top. */
  unreadBytesMax: number
}

/**
 * The live feed ([P7]): what everybody may know, to everybody who listens, in one order. What is sent
 * together is one write of the same bytes for each reader.
 */
export class Feed {
  readonly #log: FeedLog
  readonly #readers = new Map<FeedReader, Listening>()
  /** Told to end and not gone yet. */
  readonly #leaving = new Set<FeedReader>()
  #sentCount = 0
  readonly #endedCounts = { reload: 0, slow: 0, shutdown: 0 }

  /** As a FeedLog has them. */
  constructor(epoch?: string, number?: number) {
    this.#log = new FeedLog(epoch, number)
  }

  get readerCount(): number {
    return this.#readers.size
  }

  readers(): Iterable<FeedReader> {
    return this.#readers.keys()
  }

  /** How many messages were sent since the start. */
  get sentCount(): number {
    return this.#sentCount
  }

  /** How many readers were told to end, by the reason. */
  get endedCounts(): Readonly<Record<EndReason, number>> {
    return this.#endedCounts
  }

  /** Of the last message, from which a reader goes on. */
  get sequence(): string {
    return this.#log.sequence
  }

  /** Of the last message. */
  get lastNumber(): number {
    return this.#log.lastNumber
  }

  send(messages: readonly PublicMessage[], upTo?: number): void {
    const batch = this.#log.append(messages, upTo)
    this.#sentCount += messages.length
    for (const [reader, listening] of this.#readers) {
      const bytes = batch.encoded(reader.encoding)
      if (bytes !== undefined) this.#send(reader, listening, bytes)
    }
  }

  /** Here everything has its place at once. */
  settled(): Promise<void> {
    return Promise.resolve()
  }

  isSettled(): boolean {
    return true
  }

  /** Takes back what was told of one thing, from all who read it later on. */
  withdraw(kind: PublicKind, key: number): void {
    this.#log.withdraw(kind, key)
  }

  /** Tells all readers to load the list anew, after more changes than are worth telling. */
  reloadAll(upTo?: number): void {
    this.#log.forgetAll(upTo)
    this.sendAway()
  }

  /** Tells all readers to come anew, to whichever server can serve them. */
  sendAway(): void {
    for (const reader of this.#readers.keys()) this.#reload(reader, 'reload')
  }

  /** Whether what came after the sequence is still here. */
  knows(sequence: string): boolean {
    return this.#log.since(sequence) !== undefined
  }

  /** Whether a sequence is still to come here. */
  isAhead(sequence: string): boolean {
    return this.#log.isAhead(sequence)
  }

  /** Sends what came after the sequence, and then what comes; `reload` when that is not known. */
  resume(reader: FeedReader, sequence: string): void {
    const batches = this.#log.since(sequence)
    if (batches === undefined) return this.#reload(reader, 'reload')
    this.#greet(
      reader,
      batches.flatMap((batch) => batch.encoded(reader.encoding) ?? []),
    )
  }

  /** Sends the list, then what came after its sequence, and then what comes. */
  start(reader: FeedReader, list: { readonly sequence: string; readonly json: Buffer }): void {
    const batches = this.#log.since(list.sequence)
    if (batches === undefined) return this.#reload(reader, 'reload')
    const { encoding } = reader
    this.#greet(reader, [
      encoding.batch([encoding.message(list.json, list.sequence)]),
      ...batches.flatMap((batch) => batch.encoded(encoding) ?? []),
    ])
  }

  /** To be called when a connection is gone, for whatever reason. */
  leave(reader: FeedReader): void {
    this.#readers.delete(reader)
    this.#leaving.delete(reader)
  }

  /** Shows proxies that the connections live, and drops those that did not end when told to. */
  beat(): void {
    for (const reader of this.#leaving) reader.destroy()
    for (const [reader, listening] of this.#readers) {
      this.#send(reader, listening, reader.encoding.beat)
    }
  }

  /** Ends every connection. */
  end(): void {
    for (const reader of this.#readers.keys()) this.#end(reader, 'shutdown')
  }

  #greet(reader: FeedReader, parts: readonly Buffer[]): void {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    this.#readers.set(reader, { unreadBytesMax: bytes + unreadBytesMax })
    for (const part of parts) reader.write(part)
  }

  #send(reader: FeedReader, listening: Listening, bytes: Buffer): void {
    const unreadBytes = reader.unreadBytes()
    if (unreadBytes > listening.unreadBytesMax) return this.#reload(reader, 'slow')
    if (unreadBytes < unreadBytesMax) listening.unreadBytesMax = unreadBytesMax
    reader.write(bytes)
  }

  #reload(reader: FeedReader, reason: 'reload' | 'slow'): void {
    const { encoding } = reader
    reader.write(encoding.batch([encoding.message(reloadJson, undefined)]))
    this.#end(reader, reason)
  }

  #end(reader: FeedReader, reason: EndReason): void {
    this.#endedCounts[reason] += 1
    this.#readers.delete(reader)
    this.#leaving.add(reader)
    reader.end(reason)
  }
}
