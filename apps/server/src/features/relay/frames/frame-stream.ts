import { Duplex } from 'node:stream'
import { FrameError } from './frames.ts'

export const windowMinBytes = 16 * 1024
const windowFirstBytes = 64 * 1024
const windowMaxBytes = 512 * 1024
/** A window grows if half of it is used within this time, and by large pieces: many small ones need no more. */
const fastMs = 500
const largeBytes = 4096
/** What is buffered above it. Bytes may come one by one, and each piece costs 150 more. */
const bufferedBytes = 4096
/** A slice of at most this size is copied at once: whoever reads it may keep it waiting. */
const copyMaxBytes = 1024

/** What a stream needs of its session. */
export interface StreamSession {
  /** The sum of all windows. */
  windows: number
  readonly windowsMax: number
  send: (stream: FrameStream) => void
  sendCredit: (stream: FrameStream, credit: number) => void
  sendEnd: (stream: FrameStream) => void
  sendReset: (stream: FrameStream, word: string) => void
  sendOpened: (stream: FrameStream, credit: number, text: string) => void
}

/** One of the connections within a session. It behaves like a socket. */
export class FrameStream extends Duplex {
  readonly id: number
  /** The text of OPEN. */
  readonly text: string
  /** How many bytes may be sent. Kept by the session. */
  credit: number
  /** Whether OPENED has arrived. Kept by the session. */
  isConnected = false
  bytesRead = 0
  bytesWritten = 0
  /** Whether data that nobody listens for ends the stream, as between two answers. [A21] */
  isStrict = false
  /** Sees everything that arrives, before anybody has read it. */
  onReceive: ((part: Buffer) => void) | undefined
  /** Why the other end has given the stream up: [A16]. Empty if it did not say. */
  resetWord = ''
  readonly #session: StreamSession
  #window = 0
  /** How many bytes may still arrive. */
  #allowed = 0
  /** Passed on, and not yet given back as credit. */
  #owed = 0
  #creditedMs = 0
  /** Pieces that arrived since the last credit. */
  #pieces = 0
  #isFull = false
  #waiting: Buffer[] = []
  #waitingBytes = 0
  /** The block in which the last waiting piece lies, if it has room for more. */
  #block: Buffer | undefined
  #isEnded = false
  #isFinished = false
  #unsent: Buffer | undefined
  #sent: (() => void) | undefined
  #hasWaited = false
  #word = ''
  #timer: NodeJS.Timeout | undefined

  constructor(
    session: StreamSession,
    start: {
      readonly id: number
      readonly text: string
      readonly credit: number
      readonly allowed: number
    },
  ) {
    // What is buffered here has already been given back as credit.
    super({ readableHighWaterMark: bufferedBytes, writableHighWaterMark: windowMinBytes })
    this.id = start.id
    this.text = start.text
    this.credit = start.credit
    this.#allowed = start.allowed
    this.#session = session
  }

  /** Opens a window for what the other end sends. @returns the other end's additional credit */
  openWindow(): number {
    const isRoomy = this.#session.windows + windowFirstBytes <= this.#session.windowsMax
    this.#resize(isRoomy ? windowFirstBytes : windowMinBytes)
    const credit = this.#window - this.#allowed
    this.#allowed = this.#window
    this.#owed = 0
    return credit
  }

  /** Accepts a stream that the other end has opened, and tells it something. */
  accept(text = ''): void {
    if (!this.destroyed) this.#session.sendOpened(this, this.openWindow(), text)
  }

  /** Gives the stream up, and says why. */
  reset(word: string): void {
    if (this.destroyed) return
    this.#word = word
    this.destroy()
  }

  /** Ends it once everything is sent, without waiting for the other end. Node's HTTP client calls it. */
  destroySoon(): void {
    this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** @throws FrameError */
  receive(part: Buffer): void {
    this.#allowed -= part.length
    if (this.#allowed < 0 || this.#isEnded) throw new FrameError('data beyond the credit')
    this.bytesRead += part.length
    this.onReceive?.(part)
    this.#timer?.refresh()
    if (this.#isUnasked()) {
      this.destroy()
      return
    }
    if (this.#isFull) this.#wait(part)
    else if (part.length > copyMaxBytes && this.readableFlowing === true) this.#passOn(part)
    else this.#passOn(ofItsOwn(part))
  }

  /** @throws FrameError */
  receiveEnd(): void {
    if (this.#isEnded) throw new FrameError('a second end')
    this.#isEnded = true
    if (this.#isUnasked()) this.destroy()
    else if (this.#waiting.length === 0) this.push(null)
  }

  /**
   * Ends it without an error, on which Node's HTTP client would take half an answer without a length for whole.
   * What came before END is whole, and may still be read.
   */
  receiveReset(word: string): void {
    this.resetWord = word
    if (this.#isEnded && !this.readableEnded) this.once('end', () => this.destroy())
    else this.destroy()
  }

  /** The next bytes to be sent, as many as the credit and the limit permit. */
  takeUnsent(max: number): Buffer | undefined {
    const unsent = this.#unsent
    if (unsent === undefined || this.credit === 0) return undefined
    const length = Math.min(unsent.length, max, this.credit)
    this.credit -= length
    this.bytesWritten += length
    if (length < unsent.length) {
      this.#unsent = unsent.subarray(length)
      return unsent.subarray(0, length)
    }
    this.#unsent = undefined
    return unsent
  }

  /** How much has arrived that nobody has read yet. */
  get unreadBytes(): number {
    return this.readableLength + this.#waitingBytes
  }

  get hasUnsent(): boolean {
    return this.#unsent !== undefined
  }

  /** Call it after `takeUnsent`, once its bytes are on their way. */
  wasSent(): void {
    if (this.#unsent !== undefined) return
    const sent = this.#sent
    this.#sent = undefined
    sent?.()
    // Node's HTTP messages count bytes of their own and wait for this, even after a short write.
    if (this.#hasWaited && this.writableLength === 0) {
      this.#hasWaited = false
      this.emit('drain')
    }
  }

  setTimeout(ms: number, onTimeout?: () => void): this {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (ms > 0) this.#timer = setTimeout(() => this.emit('timeout'), ms)
    if (onTimeout !== undefined) this[ms > 0 ? 'once' : 'off']('timeout', onTimeout)
    return this
  }

  // A stream has no connection of its own to which these could apply.
  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  override _read(): void {
    this.#isFull = false
    while (!this.#isFull) {
      const part = this.#waiting.shift()
      if (this.#waiting.length === 0) this.#block = undefined
      if (part === undefined) break
      this.#waitingBytes -= part.length
      this.#passOn(part)
    }
    if (this.#isEnded && this.#waiting.length === 0 && !this.readableEnded) this.push(null)
  }

  override _write(chunk: Buffer, _encoding: unknown, sent: () => void): void {
    if (chunk.length === 0) {
      sent()
      return
    }
    this.#unsent = chunk
    this.#sent = sent
    this.#timer?.refresh()
    this.#session.send(this)
    this.#hasWaited ||= this.hasUnsent
  }

  /** Joins what has waited, so that many short writes become few frames. */
  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    sent: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', sent)
  }

  override _final(finished: () => void): void {
    this.#isFinished = true
    this.#session.sendEnd(this)
    finished()
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#waiting = []
    this.#waitingBytes = 0
    this.#block = undefined
    this.#unsent = undefined
    this.#sent = undefined
    this.#resize(0)
    this.#session.sendReset(this, this.#word)
    destroyed(error)
  }

  get hasReceivedEnd(): boolean {
    return this.#isEnded
  }

  get hasSentEnd(): boolean {
    return this.#isFinished
  }

  #isUnasked(): boolean {
    return this.isStrict && this.listenerCount('data') === 0
  }

  /** A stream with a large window is not worth keeping: it would leave less for others. */
  get hasGrown(): boolean {
    return this.#window > windowFirstBytes
  }

  #resize(window: number): void {
    this.#session.windows += window - this.#window
    this.#window = window
  }

  /** Small pieces share a block. */
  #wait(part: Buffer): void {
    this.#waitingBytes += part.length
    const last = this.#waiting.at(-1)
    if (last !== undefined && this.#block !== undefined) {
      const used = last.length
      if (used + part.length <= this.#block.length) {
        part.copy(this.#block, used)
        this.#waiting[this.#waiting.length - 1] = this.#block.subarray(0, used + part.length)
        return
      }
    }
    this.#block = part.length <= copyMaxBytes ? Buffer.allocUnsafeSlow(bufferedBytes) : undefined
    if (this.#block !== undefined) part.copy(this.#block)
    this.#waiting.push(this.#block?.subarray(0, part.length) ?? ofItsOwn(part))
  }

  #passOn(part: Buffer): void {
    this.#isFull = !this.push(part)
    this.#owed += part.length
    this.#pieces += 1
    // There is no window before it is accepted, or after it is destroyed.
    if (this.#window === 0 || this.#owed * 2 < this.#window || this.#isEnded) return
    let credit = this.#owed
    const nowMs = performance.now()
    const isGrowing =
      nowMs - this.#creditedMs < fastMs &&
      this.#owed >= this.#pieces * largeBytes &&
      this.#window >= windowFirstBytes &&
      this.#window < windowMaxBytes &&
      this.#session.windows + this.#window <= this.#session.windowsMax
    if (isGrowing) {
      credit += this.#window
      this.#resize(this.#window * 2)
    }
    this.#owed = 0
    this.#pieces = 0
    this.#creditedMs = nowMs
    this.#allowed += credit
    this.#session.sendCredit(this, credit)
  }
}

/** A copy of a slice that would keep the much larger chunk in which it arrived. */
function ofItsOwn(part: Buffer): Buffer {
  return part.length * 2 < part.buffer.byteLength ? Buffer.from(part) : part
}
