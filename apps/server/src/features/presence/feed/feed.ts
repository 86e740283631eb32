import type { FeedEncoding } from './feed-encoding.ts'
import { FeedLog } from './feed-log.ts'
import { deviceJson, reloadJson, removedJson, type FeedMessage } from './feed-message.ts'

/** How long changes wait for others to be sent with. */
export const batchMs = 150
/** More changes at once than this are told by `reload`: the compressed list is smaller. */
const changesMax = 20_000
/** What a reader may leave unread beyond what it was greeted with: at 200 changes a second, 25 s. */
export const unreadBytesMax = 1 << 20

/** What happened to a public device, in the words of whoever keeps them. */
export type DeviceChange =
  | { readonly kind: 'added' | 'changed' }
  | { readonly kind: 'removed'; readonly id: string }

/** One connection that listens. Bytes written are shared with others and must not be changed. */
export interface FeedReader {
  readonly encoding: FeedEncoding
  readonly write: (bytes: Buffer) => void
  /** What was written and did not leave yet. */
  readonly unreadBytes: () => number
  /** Ends the connection after all that was written. */
  readonly end: (reason: 'reload' | 'slow' | 'shutdown') => void
  /** Drops the connection with all that was written. */
  readonly destroy: () => void
}

export interface FeedOptions {
  /** A public device's JSON as of now; undefined when it is not public or is gone. */
  readonly publicDevice: (deviceKey: number) => Uint8Array | undefined
  /** Calls back after `batchMs`. */
  readonly afterBatchTime: (seal: () => void) => void
  readonly epoch?: string
}

interface Listening {
  /** What it may leave unread: until it has read its greeting, that is granted on top. */
  unreadBytesMax: number
}

/**
 * The live feed of public devices ([P7]). Changes are gathered for a short time; several of one device
 * become one message; a message is made once, and a batch is one write of the same bytes for each
 * reader.
 */
export class Feed {
  readonly #options: FeedOptions
  readonly #log: FeedLog
  readonly #changes = new Map<number, DeviceChange>()
  readonly #readers = new Map<FeedReader, Listening>()
  /** Told to end and not gone yet. */
  readonly #leaving = new Set<FeedReader>()
  #isSealAwaited = false

  constructor(options: FeedOptions) {
    this.#options = options
    this.#log = new FeedLog(options.epoch)
  }

  get readerCount(): number {
    return this.#readers.size
  }

  note(deviceKey: number, change: DeviceChange): void {
    const earlier = this.#changes.get(deviceKey)
    if (change.kind === 'removed') this.#log.withdraw(deviceKey)
    if (earlier?.kind === 'added' && change.kind === 'removed') this.#changes.delete(deviceKey)
    else if (earlier?.kind === 'removed') this.#changes.set(deviceKey, { kind: 'changed' })
    else if (earlier?.kind !== 'added') this.#changes.set(deviceKey, change)
    if (this.#changes.size > changesMax) this.#reloadAll()
    if (this.#isSealAwaited || this.#changes.size === 0) return
    this.#isSealAwaited = true
    this.#options.afterBatchTime(() => {
      this.#isSealAwaited = false
      this.seal()
    })
  }

  /** Sends what has changed so far and returns the sequence of the last message. */
  seal(): string {
    const messages: FeedMessage[] = []
    let number = this.#log.lastNumber
    for (const [deviceKey, change] of this.#changes) {
      number += 1
      messages.push(this.#message(number, deviceKey, change))
    }
    this.#changes.clear()
    if (messages.length > 0) {
      const batch = this.#log.append(messages)
      for (const [reader, listening] of this.#readers) {
        const bytes = batch.encoded(reader.encoding)
        if (bytes !== undefined) this.#send(reader, listening, bytes)
      }
    }
    return this.#log.sequence
  }

  /** Whether nothing has changed since. */
  isCurrent(sequence: string): boolean {
    return this.#changes.size === 0 && sequence === this.#log.sequence
  }

  /** Whether what came after the sequence is still here. */
  knows(sequence: string): boolean {
    return this.#log.since(sequence) !== undefined
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

  #message(number: number, deviceKey: number, change: DeviceChange): FeedMessage {
    const sequence = this.#log.sequenceOf(number)
    if (change.kind === 'removed') {
      const json = removedJson(change.id, sequence)
      return { number, deviceKey, kind: 'device-removed', json }
    }
    const device = this.#options.publicDevice(deviceKey)
    if (device === undefined) throw new Error('a public device is gone without a word')
    return { number, deviceKey, kind: 'device', json: deviceJson(device, sequence) }
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

  #end(reader: FeedReader, reason: 'reload' | 'slow' | 'shutdown'): void {
    this.#readers.delete(reader)
    this.#leaving.add(reader)
    reader.end(reason)
  }

  #reloadAll(): void {
    this.#changes.clear()
    this.#log.forgetAll()
    for (const reader of this.#readers.keys()) this.#reload(reader, 'reload')
  }
}
