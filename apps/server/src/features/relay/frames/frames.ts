/** Rules [F1] to [F6] and [L2] of docs/relay.md. */

const headBytes = 8
export const payloadMaxBytes = 16_384
const wordMaxBytes = 32
/** Text of OPEN, OPENED and AWAY. */
const textMaxBytes = 1024
const lookResultMaxBytes = 1024

export const frameTypes = {
  open: 1,
  opened: 2,
  data: 3,
  credit: 4,
  end: 5,
  reset: 6,
  ping: 7,
  pong: 8,
  away: 9,
  assignment: 10,
  result: 11,
} as const

type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

/** The least and the greatest length of each type's payload, and whether it belongs to a stream. */
const shapes: ReadonlyMap<number, readonly [least: number, most: number, isOfStream: boolean]> =
  new Map<FrameType, readonly [number, number, boolean]>([
    [frameTypes.open, [4, 4 + textMaxBytes, true]],
    [frameTypes.opened, [4, 4 + textMaxBytes, true]],
    [frameTypes.data, [1, payloadMaxBytes, true]],
    [frameTypes.credit, [4, 4, true]],
    [frameTypes.end, [0, 0, true]],
    [frameTypes.reset, [0, wordMaxBytes, true]],
    [frameTypes.ping, [8, 8, false]],
    [frameTypes.pong, [8, 8, false]],
    [frameTypes.away, [0, textMaxBytes, false]],
    [frameTypes.assignment, [2, payloadMaxBytes, false]],
    [frameTypes.result, [2, lookResultMaxBytes, false]],
  ])

/** The other end broke the protocol. */
export class FrameError extends Error {}

const nothing = Buffer.alloc(0)

/** A frame's head, with room for its payload if that is short. */
export function frameHead(type: FrameType, stream: number, length: number, room = 0): Buffer {
  const head = Buffer.allocUnsafe(headBytes + room)
  head[0] = type
  head[1] = 0
  head.writeUInt16BE(length, 2)
  head.writeUInt32BE(stream, 4)
  return head
}

export function frame(type: FrameType, stream: number, payload: Uint8Array = nothing): Buffer {
  const whole = frameHead(type, stream, payload.length, payload.length)
  whole.set(payload, headBytes)
  return whole
}

export function creditFrame(stream: number, credit: number): Buffer {
  const whole = frameHead(frameTypes.credit, stream, 4, 4)
  whole.writeUInt32BE(credit, headBytes)
  return whole
}

/** OPEN or OPENED. */
export function openingFrame(
  type: typeof frameTypes.open | typeof frameTypes.opened,
  stream: number,
  { credit, text }: Opening,
): Buffer {
  const payload = Buffer.alloc(4 + Buffer.byteLength(text))
  payload.writeUInt32BE(credit)
  payload.write(text, 4)
  return frame(type, stream, payload)
}

export interface Opening {
  readonly credit: number
  readonly text: string
}

export function readOpening(payload: Buffer): Opening {
  return { credit: payload.readUInt32BE(), text: payload.toString('utf8', 4) }
}

/**
 * Reads frames from chunks of any size. It hands on DATA in parts as they arrive, and everything else as whole
 * frames.
 */
export class FrameReader {
  readonly #onData: (stream: number, part: Buffer) => void
  readonly #onFrame: (type: number, stream: number, payload: Buffer) => void
  readonly #head = Buffer.alloc(headBytes)
  #headLength = 0
  #type = 0
  #stream = 0
  /** How much of the payload is still to come. */
  #left = 0
  #parts: Buffer[] = []

  constructor(
    onData: (stream: number, part: Buffer) => void,
    onFrame: (type: number, stream: number, payload: Buffer) => void,
  ) {
    this.#onData = onData
    this.#onFrame = onFrame
  }

  /** @throws FrameError */
  read(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const part = chunk.subarray(at, at + this.#left)
        at += part.length
        this.#left -= part.length
        this.#take(part)
      } else if (this.#headLength === 0 && chunk.length - at >= headBytes) {
        this.#begin(chunk, at)
        at += headBytes
      } else {
        const copied = chunk.copy(this.#head, this.#headLength, at)
        at += copied
        this.#headLength += copied
        if (this.#headLength < headBytes) return
        this.#headLength = 0
        this.#begin(this.#head, 0)
      }
    }
  }

  #begin(bytes: Buffer, at: number): void {
    const type = bytes.readUInt8(at)
    const length = bytes.readUInt16BE(at + 2)
    const stream = bytes.readUInt32BE(at + 4)
    const [least, most, isOfStream] = shapes.get(type) ?? []
    if (least === undefined || most === undefined || bytes[at + 1] !== 0) {
      throw new FrameError('an unknown frame')
    }
    if (length < least || length > most) throw new FrameError('a frame of a wrong length')
    if (stream > 0 !== isOfStream) throw new FrameError('a frame on a wrong stream')
    this.#type = type
    this.#stream = stream
    this.#left = length
    if (length === 0) this.#onFrame(type, stream, nothing)
  }

  #take(part: Buffer): void {
    if (this.#type === frameTypes.data) {
      this.#onData(this.#stream, part)
      return
    }
    if (this.#left > 0) {
      this.#parts.push(Buffer.from(part))
      return
    }
    const payload = this.#parts.length === 0 ? part : Buffer.concat([...this.#parts, part])
    this.#parts = []
    this.#onFrame(this.#type, this.#stream, payload)
  }
}
