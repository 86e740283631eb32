import { connect, type Socket } from 'node:net'

export type FeedKind = 'stream' | 'websocket'

interface FeedClientOptions {
  readonly port: number
  readonly kind: FeedKind
  /** Called with the id of each message's device. Use it for a few clients only: it is most of the cost of reading. */
  readonly onDevice?: (id: string) => void
}

const ping = 0x89
const text = 0x81
/** An empty pong frame, masked as a client's must be. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const idLine = 'i'.charCodeAt(0)
const dataLine = 'd'.charCodeAt(0)
const [zero, nine] = ['0'.charCodeAt(0), '9'.charCodeAt(0)]

/**
 * Behaves like a browser towards the feed. It checks that each message follows the last one, also across
 * connections. It reads sequences from the bytes without parsing, so that two thousand clients need a
 * fraction of a processor.
 */
export class FeedClient {
  readonly #options: FeedClientOptions
  #socket: Socket | undefined
  #epoch = ''
  #last = 0
  #rest: Buffer = Buffer.alloc(0)
  #isHeadRead = false
  lost = 0
  outOfOrder = 0
  reloads = 0
  /** Connections that the server ended without a reload. */
  dropped = 0
  received = 0

  constructor(options: FeedClientOptions) {
    this.#options = options
  }

  get last(): number {
    return this.#last
  }

  /** Continues after its last message, or begins at a sequence. */
  open(sequence?: string): void {
    if (sequence !== undefined) {
      const at = sequence.lastIndexOf('-')
      this.#epoch = sequence.slice(0, at)
      this.#last = Number(sequence.slice(at + 1))
    }
    const { port, kind } = this.#options
    this.#rest = Buffer.alloc(0)
    this.#isHeadRead = false
    const socket = connect(port, '127.0.0.1')
    const since = `since=${this.#epoch}-${this.#last}`
    socket.write(
      kind === 'stream'
        ? `GET /api/devices/stream?${since} HTTP/1.1\r\nHost: localhost\r\n\r\n`
        : `GET /api/devices/live?${since} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n`,
    )
    socket.on('data', (bytes: Buffer) => {
      if (socket === this.#socket) this.#read(bytes, socket)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (socket !== this.#socket) return
      this.#socket = undefined
      if (this.reloads > 0) return
      this.dropped += 1
      this.open()
    })
    this.#socket = socket
  }

  close(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #read(bytes: Buffer, socket: Socket): void {
    let unread = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    if (!this.#isHeadRead) {
      const end = unread.indexOf('\r\n\r\n')
      this.#rest = unread
      if (end === -1) return
      const status = unread.subarray(9, 12).toString()
      if (status !== '200' && status !== '101') throw new Error(`The feed answered ${status}`)
      this.#isHeadRead = true
      unread = unread.subarray(end + 4)
    }
    const length =
      this.#options.kind === 'stream' ? this.#readChunks(unread) : this.#readFrames(unread, socket)
    this.#rest = unread.subarray(length)
  }

  /** @returns the number of bytes in complete chunks of an HTTP/1.1 body */
  #readChunks(bytes: Buffer): number {
    let at = 0
    for (;;) {
      const lineEnd = bytes.indexOf('\r\n', at)
      if (lineEnd === -1) return at
      const length = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
      const end = lineEnd + 2 + length
      if (end + 2 > bytes.length) return at
      this.#readEvents(bytes, lineEnd + 2, end)
      at = end + 2
    }
  }

  #readEvents(bytes: Buffer, from: number, end: number): void {
    let at = from
    while (at < end) {
      const idEnd = bytes.indexOf('\n', at)
      const eventEnd = bytes.indexOf('\n\n', at) + 2
      if (bytes[at] === idLine) this.#note(numberBefore(bytes, idEnd), bytes, idEnd, eventEnd)
      // Data without an id is the reload. A retry or a comment is not a message.
      else if (bytes[at] === dataLine) this.reloads += 1
      at = eventEnd
    }
  }

  /** @returns the number of bytes in complete WebSocket frames */
  #readFrames(bytes: Buffer, socket: Socket): number {
    let at = 0
    while (at + 2 <= bytes.length) {
      const short = bytes[at + 1] ?? 0
      if (short === 126 && at + 4 > bytes.length) return at
      const from = at + (short === 126 ? 4 : 2)
      const end = from + (short === 126 ? bytes.readUInt16BE(at + 2) : short)
      if (end > bytes.length) return at
      if (bytes[at] === ping) socket.write(pong)
      if (bytes[at] === text) {
        // A message ends with its sequence, a reload with a word.
        const number = numberBefore(bytes, end - 2)
        if (Number.isNaN(number)) this.reloads += 1
        else this.#note(number, bytes, from, end)
      }
      at = end
    }
    return at
  }

  #note(number: number, bytes: Buffer, from: number, end: number): void {
    if (number > this.#last + 1) this.lost += number - this.#last - 1
    if (number <= this.#last) this.outOfOrder += 1
    this.#last = number
    this.received += 1
    const { onDevice } = this.#options
    if (onDevice === undefined) return
    const idAt = bytes.indexOf('"id":"', from) + 6
    if (idAt < end) onDevice(bytes.toString('latin1', idAt, bytes.indexOf('"', idAt)))
  }
}

/** The sequence from which a new client misses nothing. */
export async function currentSequence(url: string): Promise<string> {
  const response = await fetch(`${url}/api/devices`)
  await response.arrayBuffer()
  return response.headers.get('etag')?.slice(1, -1) ?? ''
}

/** The number whose digits end there; NaN if there is none. */
function numberBefore(bytes: Buffer, end: number): number {
  let from = end
  while ((bytes[from - 1] ?? 0) >= zero && (bytes[from - 1] ?? 0) <= nine) from -= 1
  return from === end ? Number.NaN : Number(bytes.toString('latin1', from, end))
}
