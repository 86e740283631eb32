import { Duplex } from 'node:stream'
import { types, uint32 } from './frames.ts'

const frameBytes = 16 * 1024

/** What a stream needs of its session. */
interface Frames {
  readonly wire: Duplex
  readonly isClosed: boolean
  write(type: number, id: number, payload?: Buffer): void
}

/**
 * A stream that gives credit for what is read, and sends within the agent's credit. To destroy it is to
 * reset it.
 */
export class PeerStream extends Duplex {
  readonly id: number
  readonly opened: Promise<void>
  /** The word of the agent's RESET. */
  word: string | undefined
  /** How much it may still send. */
  credit = 16 * 1024
  readonly #session: Frames
  #unread = 0
  #hasEnded = false
  #hasReset = false
  #unsent: { readonly bytes: Buffer; readonly done: () => void } | undefined
  #noteOpened: () => void = () => undefined

  constructor(session: Frames, id: number) {
    super()
    this.#session = session
    this.id = id
    this.opened = new Promise((resolve) => {
      this.#noteOpened = resolve
    })
    session.wire.on('close', () => this.destroy())
  }

  receive(type: number, payload: Buffer): void {
    if (type === types.opened) this.#noteOpened()
    if (type === types.opened || type === types.credit) {
      this.credit += payload.readUInt32BE(0)
      this.#pump()
    } else if (type === types.data) {
      this.#unread += payload.length
      if (this.push(payload)) this.#giveCredit()
    } else if (type === types.end) {
      this.push(null)
    } else {
      this.word = payload.toString()
      this.destroy()
    }
  }

  #giveCredit(): void {
    if (this.#unread > 0) this.#session.write(types.credit, this.id, uint32(this.#unread))
    this.#unread = 0
  }

  #pump(): void {
    while (this.#unsent !== undefined && this.credit > 0 && !this.#hasReset) {
      const { bytes, done } = this.#unsent
      const part = bytes.subarray(0, Math.min(frameBytes, this.credit))
      this.credit -= part.length
      this.#session.write(types.data, this.id, part)
      this.#unsent =
        part.length < bytes.length ? { bytes: bytes.subarray(part.length), done } : undefined
      if (this.#unsent === undefined) done()
    }
  }

  override _read(): void {
    this.#giveCredit()
  }

  override _write(bytes: Buffer, _: string, done: () => void): void {
    this.#unsent = { bytes, done }
    this.#pump()
  }

  override _final(done: () => void): void {
    this.#hasEnded = true
    this.#session.write(types.end, this.id)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isOver = this.#hasEnded && (this.readableEnded || this.word !== undefined)
    if (!isOver && !this.#session.isClosed) {
      this.#hasReset = true
      this.#session.write(types.reset, this.id)
    }
    done(error)
  }
}
