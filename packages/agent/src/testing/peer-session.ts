import type { Duplex } from 'node:stream'
import { frame, types, uint32 } from './frames.ts'
import { PeerStream } from './peer-stream.ts'

interface Frame {
  readonly type: number
  readonly id: number
  readonly payload: Buffer
}

/** The server's end of a connection. It writes what a test wants, also what the protocol forbids. */
export class PeerSession {
  /** All frames so far. */
  readonly frames: Frame[] = []
  readonly closed: Promise<unknown>
  isClosed = false
  readonly streams = new Map<number, PeerStream>()
  readonly wire: Duplex
  #pings: NodeJS.Timeout | undefined
  #lastId = 0
  #rest: Buffer = Buffer.alloc(0)
  readonly #looks = new Set<() => void>()

  constructor(wire: Duplex, pingMs: number) {
    this.wire = wire
    wire.on('error', () => undefined)
    wire.on('data', (chunk: Buffer) => this.#read(chunk))
    wire.on('end', () => wire.end())
    this.closed = new Promise((resolve) => wire.on('close', resolve))
    wire.on('close', () => {
      this.isClosed = true
      for (const look of this.#looks) look()
    })
    if (pingMs === 0) return
    const ping = () => this.write(types.ping, 0, Buffer.alloc(8, 'ping'))
    this.#pings = setInterval(ping, pingMs)
    wire.on('close', () => this.stopPinging())
    ping()
  }

  stopPinging(): void {
    clearInterval(this.#pings)
  }

  write(type: number, id: number, payload: Buffer | string = ''): void {
    this.wire.write(frame(type, id, payload))
  }

  /** Sends a PING, and waits for its answer, after which the agent has read all earlier frames. */
  async ping(): Promise<void> {
    const mark = Buffer.from(String(Math.random()).slice(2).padEnd(8, '0').slice(0, 8))
    this.write(types.ping, 0, mark)
    await this.next(({ type, payload }) => type === types.pong && payload.equals(mark))
  }

  /** Asks the agent to leave. */
  away(text = ''): void {
    this.write(types.away, 0, text)
  }

  /** The first frame that fits, of those so far and those to come. */
  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    return await new Promise((resolve, reject) => {
      const look = () => {
        const found = this.frames.find(fits)
        if (found === undefined && !this.isClosed) return
        this.#looks.delete(look)
        if (found === undefined) reject(new Error('the connection ended without that frame'))
        else resolve(found)
      }
      this.#looks.add(look)
      look()
    })
  }

  /** The number of the next stream, for a test that writes its frames by hand. */
  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  openStream(kind: 'http' | 'tcp', window = 64 * 1024): PeerStream {
    const id = this.nextId()
    const stream = new PeerStream(this, id)
    this.streams.set(id, stream)
    this.write(types.open, id, Buffer.concat([uint32(window), Buffer.from(kind)]))
    return stream
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= 8) {
      const length = this.#rest.readUInt16BE(2)
      if (this.#rest.length < 8 + length) break
      const [type = 0] = this.#rest
      const id = this.#rest.readUInt32BE(4)
      const payload = this.#rest.subarray(8, 8 + length)
      this.#rest = this.#rest.subarray(8 + length)
      this.frames.push({ type, id, payload })
      if (type === types.ping) this.write(types.pong, 0, payload)
      this.streams.get(id)?.receive(type, payload)
    }
    for (const look of this.#looks) look()
  }
}
