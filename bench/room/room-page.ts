import { connect, type Socket } from 'node:net'
import { runtimeSocketPath } from '@astropelago/contract/island-runtime'
import { roomHost, visitCookie } from './seed-room.ts'

const text = 0x81
const ping = 0x89
/** An empty pong, and the head of a text, masked by nothing. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const mask = Buffer.alloc(4)
const pushStart = '{"push":"events"'
const numberStart = '"n":'
const room = 'crowd'

export interface Sent {
  /** By which its arrivals find it. */
  readonly sent: number
  readonly text: string
}

interface Batch {
  readonly length: number
  readonly messages: readonly { readonly n: number; readonly value: Sent }[]
}

/** What a server has sent to some page already, so that each batch of messages is parsed once. */
export type Batches = Map<number, Batch>

/** A page in a room that reads frames from the bytes, so that five hundred take a fraction of a processor. */
export class RoomPage {
  readonly #options
  readonly #socket: Socket
  readonly #joined = Promise.withResolvers<void>()
  #rest: Buffer = Buffer.alloc(0)
  #isHeadRead = false
  #last = 0
  #calls = 0
  /** Messages that did not follow the one before. */
  misplaced = 0
  refused = 0

  constructor(options: {
    readonly port: number
    readonly visitor: number
    readonly batches: Batches
    readonly onMessage: (value: Sent) => void
  }) {
    this.#options = options
    const { port, visitor } = options
    const host = roomHost(port)
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(65_536),
        callback: (length, bytes) => {
          this.#read(Buffer.from(bytes.buffer, bytes.byteOffset, length))
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#joined.reject(error))
    this.#socket.write(
      `GET ${runtimeSocketPath} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n` +
        `Cookie: ${visitCookie(visitor)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
    )
  }

  /** Resolves when it is in the room. */
  get joined(): Promise<void> {
    return this.#joined.promise
  }

  send(value: Sent): void {
    const clientId = `message-${process.pid}-${value.sent}`
    this.#call({ call: 'send', room, clientId, value: JSON.stringify(value) })
  }

  close(): void {
    this.#socket.destroy()
  }

  #call(call: object): void {
    this.#calls += 1
    const payload = Buffer.from(JSON.stringify({ id: this.#calls, ...call }))
    const head = Buffer.from([text, 0x80 | 126, payload.length >> 8, payload.length & 0xff])
    this.#socket.write(Buffer.concat([head, mask, payload]))
  }

  #read(bytes: Buffer): void {
    const isWhole = this.#rest.length === 0
    let unread = isWhole ? bytes : Buffer.concat([this.#rest, bytes])
    if (!this.#isHeadRead) unread = this.#readHead(unread)
    const left = unread.subarray(this.#readFrames(unread))
    // The buffer is used again for the next read.
    this.#rest = left.length > 0 && isWhole ? Buffer.from(left) : left
  }

  #readHead(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n')
    if (end === -1) return bytes
    const status = bytes.toString('latin1', 9, 12)
    if (status !== '101') this.#joined.reject(new Error(`The room answered ${status}`))
    this.#isHeadRead = true
    this.#call({ call: 'join', room })
    return bytes.subarray(end + 4)
  }

  /** @returns the number of bytes in complete frames */
  #readFrames(bytes: Buffer): number {
    let at = 0
    while (this.#isHeadRead && at + 4 <= bytes.length) {
      const short = bytes[at + 1] ?? 0
      const from = at + (short === 126 ? 4 : short === 127 ? 10 : 2)
      if (from > bytes.length) return at
      const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
      const end = from + (short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : length)
      if (end > bytes.length) return at
      if (bytes[at] === ping) this.#socket.write(pong)
      else if (bytes.toString('latin1', from, from + pushStart.length) === pushStart) {
        this.#readMessages(bytes, from, end)
      } else this.#readAnswer(bytes.toString('utf8', from, end))
      at = end
    }
    return at
  }

  #readMessages(bytes: Buffer, from: number, end: number): void {
    const numberAt = bytes.indexOf(numberStart, from) + numberStart.length
    const first = Number.parseInt(bytes.toString('latin1', numberAt, numberAt + 12), 10)
    let batch = this.#options.batches.get(first)
    if (batch?.length !== end - from) {
      const { events } = JSON.parse(bytes.toString('utf8', from, end))
      batch = { length: end - from, messages: events }
      this.#options.batches.set(first, batch)
    }
    for (const { n, value } of batch.messages) {
      if (n !== this.#last + 1) this.misplaced += 1
      this.#last = n
      this.#options.onMessage(value)
    }
  }

  #readAnswer(answer: string): void {
    if (answer.includes('"error":')) this.refused += 1
    const last = /"last":(\d+)/.exec(answer)
    if (last === null) return
    this.#last = Number(last[1])
    this.#joined.resolve()
  }
}
