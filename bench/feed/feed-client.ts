import { connect, type Socket } from 'node:net'

export type FeedKind = 'stream' | 'websocket'

/** The messages in some bytes of a connection, each with its place in the order of all. */
export interface ReadBatch {
  readonly bytes: Buffer
  readonly hasPing: boolean
  readonly numbers: readonly number[]
  readonly ids: readonly string[]
}

interface FeedClientOptions {
  readonly port: number
  readonly kind: FeedKind
  /** Told of each batch that arrived, when it did. */
  readonly onBatch: (batch: ReadBatch) => void
}

const ping = Buffer.from([0x89, 0])
/** An empty frame that answers a ping, masked as a client's has to be. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/**
 * A browser as far as the feed can tell. It checks that each message is the one that follows the last
 * one it has, also across its connections. Since the server sends the same bytes to all, each batch is
 * parsed once for all clients of a kind: two thousand of them fit into a fraction of a processor.
 */
export class FeedClient {
  readonly #options: FeedClientOptions
  #socket: Socket | undefined
  #epoch = ''
  #last: number | undefined
  #rest: Buffer = Buffer.alloc(0)
  #isHeadRead = false
  lost = 0
  outOfOrder = 0
  reloads = 0
  received = 0

  constructor(options: FeedClientOptions) {
    this.#options = options
  }

  get last(): number | undefined {
    return this.#last
  }

  /** Goes on from the last message it has, or begins at a sequence. */
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
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', () => socket.destroy())
    this.#socket = socket
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #read(bytes: Buffer): void {
    if (this.#socket === undefined) return
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
    const { kind } = this.#options
    const length = kind === 'stream' ? wholeChunks(unread) : wholeFrames(unread)
    this.#rest = unread.subarray(length)
    if (length === 0) return
    const batch = readBatch(kind, unread.subarray(0, length))
    if (batch.bytes.includes('"reload"')) this.reloads += 1
    if (batch.hasPing) this.#socket.write(pong)
    for (const number of batch.numbers) {
      if (this.#last !== undefined && number > this.#last + 1) this.lost += number - this.#last - 1
      if (this.#last !== undefined && number <= this.#last) this.outOfOrder += 1
      this.#last = number
    }
    this.received += batch.numbers.length
    if (batch.numbers.length > 0) this.#options.onBatch(batch)
  }
}

const latest: Partial<Record<FeedKind, ReadBatch>> = {}

function readBatch(kind: FeedKind, bytes: Buffer): ReadBatch {
  const known = latest[kind]
  if (known?.bytes.equals(bytes)) return known
  const text = bytes.toString('latin1')
  const messages = [...text.matchAll(/"id":"([^"]+)".*?"sequence":"[\w-]+-(\d+)"\}/g)]
  const batch = {
    bytes: Buffer.from(bytes),
    // The bench's labels are ASCII, and its messages shorter than a header with these bytes.
    hasPing: kind === 'websocket' && bytes.includes(ping),
    ids: messages.map(([, id = '']) => id),
    numbers: messages.map(([, , number]) => Number(number)),
  }
  latest[kind] = batch
  return batch
}

/** How many bytes of an HTTP/1.1 body are whole chunks. */
function wholeChunks(bytes: Buffer): number {
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return at
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + length + 2
    if (end > bytes.length) return at
    at = end
  }
}

/** How many bytes are whole WebSocket frames. */
function wholeFrames(bytes: Buffer): number {
  let at = 0
  while (at + 2 <= bytes.length) {
    const short = bytes[at + 1] ?? 0
    if (short === 126 && at + 4 > bytes.length) return at
    const header = short === 126 ? 4 : 2
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    if (at + header + length > bytes.length) return at
    at += header + length
  }
  return at
}
