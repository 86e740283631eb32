import { FeedMessage } from '@astropelago/contract/feed'
import * as v from 'valibot'
import { chunkedEventStream, type EventStreamEncoding } from '../../../http/event-stream.ts'
import type { FeedReader } from '../feed.ts'
import { webSocketFrames } from '../web-socket-reader.ts'

/** A message that arrived, and the sequence from which a reader would go on after it. */
export interface Received {
  readonly message: FeedMessage
  readonly sequence: string | undefined
}

export interface TestReader extends FeedReader {
  /** Everything that was sent, decoded as a browser would. */
  readonly received: () => readonly Received[]
  readonly written: () => Buffer
  readonly ended: () => string | undefined
  /** From now on nothing leaves the server until it is called again. */
  readonly setStalled: (isStalled: boolean) => void
}

/** A reader whose other end is this test. */
export function testReader(encoding: EventStreamEncoding = chunkedEventStream): TestReader {
  const writes: Buffer[] = []
  let ended: string | undefined
  let isStalled = false
  let unreadBytes = 0
  return {
    encoding,
    write: (bytes) => {
      if (ended !== undefined) throw new Error(`written after the end: ${String(bytes)}`)
      writes.push(Buffer.from(bytes))
      if (isStalled) unreadBytes += bytes.length
    },
    unreadBytes: () => unreadBytes,
    end: (reason) => {
      ended = reason
    },
    destroy: () => {
      ended = `${ended ?? ''} destroyed`
    },
    written: () => Buffer.concat(writes),
    ended: () => ended,
    setStalled: (to) => {
      isStalled = to
      if (!to) unreadBytes = 0
    },
    received: () => {
      const bytes = Buffer.concat(writes)
      return encoding === webSocketFrames ? readFrames(bytes) : readEvents(readChunks(bytes))
    },
  }
}

export function readEvents(text: string): Received[] {
  const received: Received[] = []
  for (const event of text.split('\n\n')) {
    const fields = new Map(event.split('\n').map((line) => fieldOf(line)))
    const data = fields.get('data')
    if (data === undefined) continue
    const message = v.parse(FeedMessage, JSON.parse(data))
    received.push({ message, sequence: fields.get('id') })
  }
  return received
}

function fieldOf(line: string): [name: string, value: string] {
  const at = line.indexOf(': ')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)]
}

function readChunks(bytes: Buffer): string {
  const parts: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length))
    at = lineEnd + 2 + length + 2
  }
  return Buffer.concat(parts).toString()
}

function readFrames(bytes: Buffer): Received[] {
  const received: Received[] = []
  let at = 0
  while (at < bytes.length) {
    const [opcode = 0, short = 0] = bytes.subarray(at, at + 2)
    at += 2
    let length = short
    if (short === 126) length = bytes.readUInt16BE(at)
    if (short === 127) length = Number(bytes.readBigUInt64BE(at))
    if (short >= 126) at += short === 126 ? 2 : 8
    const text = bytes.subarray(at, at + length).toString()
    at += length
    if (opcode !== 0x81) continue
    const message = v.parse(FeedMessage, JSON.parse(text))
    const sequence = 'sequence' in message ? message.sequence : undefined
    received.push({ message, sequence })
  }
  return received
}
