import type { Duplex } from 'node:stream'
import {
  creditFrame,
  frame,
  FrameError,
  frameHead,
  FrameReader,
  frameTypes,
  openingFrame,
  payloadMaxBytes,
  readOpening,
} from './frames.ts'
import { FrameStream, windowMinBytes, type StreamSession } from './frame-stream.ts'

/** Above this, a payload is written beside its head. Below it, copying is cheaper. */
const copyMaxBytes = 2048
const creditMax = 2 ** 31
/** With more, the other end would wait for the whole turn: 64 visitors got a quarter less. */
const writesTogether = 8
const streamIdMax = 2 ** 32 - 1

export interface Patience {
  readonly pingMs: number
  /** The other end counts as gone this long after its last answer. */
  readonly silentMs: number
}

export interface SessionLimits {
  readonly streams: number
  /** For what the other end may send on all streams together. */
  readonly windowsBytes: number
}

const agentLimits: SessionLimits = { streams: 2048, windowsBytes: 16 * 1024 * 1024 }

interface SessionOptions {
  /** Undefined if this end opens the streams, and the other end may not. */
  readonly onOpen?: (stream: FrameStream) => void
  /** The other end wants no more streams. */
  readonly onAway?: (text: string) => void
  /** Undefined if the other end looks at nothing. */
  readonly onResult?: (payload: Buffer) => void
  /** Everything has ended: the streams, the session and the wire. */
  readonly onEnd: (error: Error | undefined) => void
  readonly patience?: Patience
  readonly limits?: SessionLimits
}

export class SessionFull extends Error {}

/** Many streams over one connection. One end opens all of them. */
export class FrameSession implements StreamSession {
  windows = 0
  readonly windowsMax: number
  readonly #streamsMax: number
  readonly #wire: Duplex
  readonly #options: SessionOptions
  readonly #streams = new Map<number, FrameStream>()
  /** Reset by this end, and not yet finished by the other. */
  readonly #resetHere = new Set<number>()
  /** Streams that wait for the wire, in the order of their turns. */
  readonly #waiting = new Set<FrameStream>()
  readonly #endWatch: (() => void) | undefined
  #lastId = 0
  #isBlocked = false
  #isCorked = false
  #corkedWrites = 0
  #isDraining = false
  #pong: Buffer | undefined
  #pongs = 0
  #silence: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(wire: Duplex, options: SessionOptions) {
    this.#wire = wire
    this.#options = options
    const { streams, windowsBytes } = options.limits ?? agentLimits
    this.#streamsMax = streams
    this.windowsMax = windowsBytes
    const reader = new FrameReader(
      (id, part) => this.#takeData(id, part),
      (type, id, payload) => this.#take(type, id, payload),
    )
    wire
      .on('data', (chunk: Buffer) => {
        try {
          if (!this.#hasEnded) reader.read(chunk)
        } catch (error) {
          if (!(error instanceof FrameError)) throw error
          this.end(error)
        }
      })
      .on('drain', () => this.#drain())
      .on('error', (error) => this.end(error))
      .once('end', () => this.end())
      .once('close', () => this.end())
    this.#endWatch = options.patience && this.#watchSilence(options.patience)
    if (wire.destroyed) setImmediate(() => this.end())
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get streamCount(): number {
    return this.#streams.size
  }

  get isFull(): boolean {
    return (
      this.#streams.size + this.#resetHere.size >= this.#streamsMax || this.#lastId === streamIdMax
    )
  }

  /** @throws SessionFull, or another error if the session has ended */
  open(text: string): FrameStream {
    if (this.#hasEnded) throw new Error('The session has ended')
    if (this.isFull) throw new SessionFull('Too many streams are open')
    this.#lastId += 1
    const id = this.#lastId
    const stream = new FrameStream(this, { id, text, credit: windowMinBytes, allowed: 0 })
    this.#streams.set(id, stream)
    this.#write(openingFrame(frameTypes.open, id, { credit: stream.openWindow(), text }))
    return stream
  }

  away(text = ''): void {
    this.#write(frame(frameTypes.away, 0, Buffer.from(text)))
  }

  assign(payload: Uint8Array): void {
    this.#write(frame(frameTypes.assignment, 0, payload))
  }

  /** Ends it once everything is sent. Its streams have to be over. */
  finish(): void {
    this.#wire.end()
  }

  end(error?: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#endWatch?.()
    for (const stream of this.#streams.values()) stream.destroy()
    this.#streams.clear()
    this.#waiting.clear()
    this.#wire.destroy()
    this.#options.onEnd(error)
  }

  send(stream: FrameStream): void {
    if (!this.#isBlocked && !this.#isDraining) this.#sendParts(stream, Infinity)
    else if (stream.credit > 0) this.#waiting.add(stream)
  }

  sendCredit({ id }: FrameStream, credit: number): void {
    this.#write(creditFrame(id, credit))
  }

  sendEnd(stream: FrameStream): void {
    if (!this.#streams.has(stream.id)) return
    this.#write(frame(frameTypes.end, stream.id))
    this.#forgetIfOver(stream)
  }

  sendReset(stream: FrameStream, word: string): void {
    const { id } = stream
    if (!this.#streams.delete(id)) return
    this.#waiting.delete(stream)
    if (!stream.hasReceivedEnd) this.#resetHere.add(id)
    this.#write(frame(frameTypes.reset, id, Buffer.from(word, 'latin1')))
  }

  sendOpened({ id }: FrameStream, credit: number, text: string): void {
    this.#write(openingFrame(frameTypes.opened, id, { credit, text }))
  }

  #write(bytes: Buffer): void {
    if (this.#hasEnded || this.#wire.writableEnded) return
    // Frames of one turn go out together. [F6]
    if (!this.#isCorked) {
      this.#isCorked = true
      this.#wire.cork()
      setImmediate(() => {
        this.#isCorked = false
        this.#corkedWrites = 0
        this.#wire.uncork()
      })
    }
    if (!this.#wire.write(bytes)) this.#isBlocked = true
    this.#corkedWrites += 1
    if (this.#corkedWrites < writesTogether) return
    this.#corkedWrites = 0
    this.#wire.uncork()
    this.#wire.cork()
  }

  /** Sends up to so many frames of a stream. */
  #sendParts(stream: FrameStream, most: number): void {
    for (let count = 0; count < most && !this.#isBlocked; count += 1) {
      const part = stream.takeUnsent(payloadMaxBytes)
      if (part === undefined) return
      const isCopied = part.length <= copyMaxBytes
      const head = frameHead(frameTypes.data, stream.id, part.length, isCopied ? part.length : 0)
      if (isCopied) part.copy(head, head.length - part.length)
      this.#write(head)
      if (!isCopied) this.#write(part)
      stream.wasSent()
    }
    if (stream.hasUnsent && stream.credit > 0) this.#waiting.add(stream)
  }

  #drain(): void {
    this.#isBlocked = false
    if (this.#pong !== undefined) {
      this.#write(this.#pong)
      this.#pong = undefined
    }
    this.#isDraining = true
    for (const stream of this.#waiting) {
      if (this.#isBlocked) break
      this.#waiting.delete(stream)
      this.#sendParts(stream, 1)
    }
    this.#isDraining = false
  }

  #takeData(id: number, part: Buffer): void {
    const stream = this.#streams.get(id)
    if (stream !== undefined) stream.receive(part)
    else if (!this.#resetHere.has(id)) throw new FrameError('data for no stream')
  }

  #take(type: number, id: number, payload: Buffer): void {
    // A frame of the same chunk may have ended the session.
    if (this.#hasEnded) return
    const stream = this.#streams.get(id)
    switch (type) {
      case frameTypes.open:
        this.#takeOpen(id, payload)
        return
      case frameTypes.opened:
        if (stream === undefined && this.#resetHere.has(id)) return
        if (stream === undefined) throw new FrameError('a stream that was not opened')
        this.#takeOpened(stream, payload)
        return
      case frameTypes.credit:
        if (stream !== undefined) this.#addCredit(stream, payload.readUInt32BE())
        else if (id > this.#lastId) throw new FrameError('credit for no stream')
        return
      case frameTypes.end:
        if (stream !== undefined) {
          stream.receiveEnd()
          this.#forgetIfOver(stream)
        } else if (!this.#resetHere.delete(id)) throw new FrameError('an end of no stream')
        return
      case frameTypes.reset:
        if (id > this.#lastId) throw new FrameError('a reset of no stream')
        this.#resetHere.delete(id)
        if (stream !== undefined) this.#takeReset(stream, payload.toString('latin1'))
        return
      case frameTypes.ping:
        this.#takePing(payload)
        return
      case frameTypes.pong:
        this.#pongs += 1
        this.#silence?.refresh()
        return
      case frameTypes.away:
        this.#options.onAway?.(payload.toString())
        return
      default:
        this.#takeResult(type, payload)
    }
  }

  #takeOpen(id: number, payload: Buffer): void {
    const { onOpen } = this.#options
    if (onOpen === undefined || id !== this.#lastId + 1 || this.isFull) {
      throw new FrameError('a stream that may not be opened')
    }
    this.#lastId = id
    const { credit, text } = readOpening(payload)
    const stream = new FrameStream(this, { id, text, credit: 0, allowed: windowMinBytes })
    this.#streams.set(id, stream)
    this.#addCredit(stream, credit)
    onOpen(stream)
  }

  #takeOpened(stream: FrameStream, payload: Buffer): void {
    if (this.#options.onOpen !== undefined || stream.isConnected) {
      throw new FrameError('a stream that was not opened')
    }
    const { credit, text } = readOpening(payload)
    stream.isConnected = true
    this.#addCredit(stream, credit)
    stream.emit('connect', text)
  }

  #takeReset(stream: FrameStream, word: string): void {
    this.#streams.delete(stream.id)
    this.#waiting.delete(stream)
    if (!stream.hasSentEnd) this.#write(frame(frameTypes.reset, stream.id))
    stream.credit = 0
    stream.receiveReset(word)
  }

  #takeResult(type: number, payload: Buffer): void {
    const { onResult } = this.#options
    if (type !== frameTypes.result || onResult === undefined) {
      throw new FrameError('a frame that nobody asked for')
    }
    onResult(payload)
  }

  #takePing(payload: Buffer): void {
    const pong = frame(frameTypes.pong, 0, payload)
    // Only the last one waits, however many come.
    if (this.#isBlocked) this.#pong = pong
    else this.#write(pong)
  }

  #addCredit(stream: FrameStream, credit: number): void {
    stream.credit += credit
    if (stream.credit > creditMax) throw new FrameError('too much credit')
    if (stream.hasUnsent) this.send(stream)
  }

  #forgetIfOver(stream: FrameStream): void {
    if (stream.hasReceivedEnd && stream.hasSentEnd) this.#streams.delete(stream.id)
  }

  #watchSilence({ pingMs, silentMs }: Patience): () => void {
    const ping = () => this.#write(frame(frameTypes.ping, 0, Buffer.alloc(8)))
    ping()
    const pings = setInterval(ping, pingMs)
    const silence = setTimeout(() => {
      const before = this.#pongs
      // If the event loop was blocked, read first what has arrived meanwhile.
      setImmediate(() => {
        if (this.#pongs === before) this.end(new Error('The other end is silent'))
      })
    }, silentMs)
    this.#silence = silence
    return () => {
      clearInterval(pings)
      clearTimeout(silence)
    }
  }
}
