import type { EventStreamReader } from '../../http/event-stream.ts'
import type { PublicKind } from '../../public-messages.ts'
import { FeedLog, type SentMessage } from './feed-log.ts'

/** What a reader may leave unread in addition to its greeting: 25 s at 200 changes a second. */
export const unreadBytesMax = 1 << 20

/** Makes a reader load the list again. The last message on a connection. */
export const reloadJson = Buffer.from('{"type":"reload"}')

type EndReason = 'reload' | 'slow' | 'shutdown'

/** One connection that listens. Bytes that are written are shared with others and must not be changed. */
export interface FeedReader extends Omit<EventStreamReader, 'end'> {
  readonly end: (reason: EndReason) => void
}

interface Listening {
  /** What it may leave unread. Its greeting is allowed on top until it has been read. */
  unreadBytesMax: number
}

/** The live feed ([P7]): a batch of changes is one write of the same bytes for each reader. */
export class Feed {
  readonly #log: FeedLog
  readonly #readers = new Map<FeedReader, Listening>()
  /** Readers whose connection has been ended and has not closed yet. */
  readonly #leaving = new Set<FeedReader>()
  readonly counts = { sent: 0, ended: { reload: 0, slow: 0, shutdown: 0 } }

  constructor(epoch?: string, number?: number) {
    this.#log = new FeedLog(epoch, number)
  }

  get readerCount(): number {
    return this.#readers.size
  }

  readers(): Iterable<FeedReader> {
    return this.#readers.keys()
  }

  get sequence(): string {
    return this.#log.sequence
  }

  get lastNumber(): number {
    return this.#log.lastNumber
  }

  send(messages: readonly SentMessage[], upTo?: number): void {
    const batch = this.#log.append(messages, upTo)
    this.counts.sent += messages.length
    for (const [reader, listening] of this.#readers) {
      const bytes = batch.encoded(reader.encoding)
      if (bytes !== undefined) this.#send(reader, listening, bytes)
    }
  }

  /** With one server every message has its place at once. */
  settled(): Promise<void> {
    return Promise.resolve()
  }

  isSettled(): boolean {
    return true
  }

  withdraw(kind: PublicKind, key: number): void {
    this.#log.withdraw(kind, key)
  }

  /** Makes every reader load the list again, after more changes than are worth sending. */
  reloadAll(upTo?: number): void {
    this.#log.forgetAll(upTo)
    this.sendAway()
  }

  /** Makes every reader connect again, to any server that can serve it. */
  sendAway(): void {
    for (const reader of this.#readers.keys()) this.#reload(reader, 'reload')
  }

  knows(sequence: string): boolean {
    return this.#log.since(sequence) !== undefined
  }

  isAhead(sequence: string): boolean {
    return this.#log.isAhead(sequence)
  }

  /** Sends what came after the sequence, and everything from then on; `reload` if that is unknown. */
  resume(reader: FeedReader, sequence: string): void {
    this.greet(reader, sequence, () => [])
  }

  /** Sends the list, then what came after its sequence, and everything from then on. */
  start(reader: FeedReader, list: { readonly sequence: string; readonly json: Buffer }): void {
    const { encoding } = reader
    this.greet(reader, list.sequence, () => [
      encoding.batch([encoding.message(list.json, list.sequence)]),
    ])
  }

  /**
   * Sends the greeting, then what came after the sequence, and everything from then on.
   * @param greeting may copy much, so it is called only for a reader who gets it
   */
  greet(reader: FeedReader, sequence: string, greeting: () => readonly Buffer[]): void {
    const batches = this.#log.since(sequence)
    if (batches === undefined) return this.#reload(reader, 'reload')
    const parts = [
      ...greeting(),
      ...batches.flatMap((batch) => batch.encoded(reader.encoding) ?? []),
    ]
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    this.#readers.set(reader, { unreadBytesMax: bytes + unreadBytesMax })
    for (const part of parts) reader.write(part)
  }

  has(reader: FeedReader): boolean {
    return this.#readers.has(reader)
  }

  leave(reader: FeedReader): void {
    this.#readers.delete(reader)
    this.#leaving.delete(reader)
  }

  beat(): void {
    for (const reader of this.#leaving) reader.destroy()
    for (const [reader, listening] of this.#readers) {
      this.#send(reader, listening, reader.encoding.beat)
    }
  }

  end(): void {
    for (const reader of this.#readers.keys()) this.#end(reader, 'shutdown')
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
    this.counts.ended[reason] += 1
    this.#readers.delete(reader)
    this.#leaving.add(reader)
    reader.end(reason)
  }
}
