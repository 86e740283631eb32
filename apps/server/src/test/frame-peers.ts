import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'
import { frame, FrameReader, frameTypes } from '../features/relay/frames/frames.ts'
import { FrameSession } from '../features/relay/frames/frame-session.ts'
import type { FrameStream } from '../features/relay/frames/frame-stream.ts'
import { listen, portOf } from './listen.ts'

type SessionOptions = ConstructorParameters<typeof FrameSession>[1]

/** Two ends of a real connection. */
export async function socketPair(): Promise<readonly [Socket, Socket]> {
  // As after an upgrade, an end has to be answered.
  const options = { noDelay: true, allowHalfOpen: true }
  const server = createServer(options)
  await listen(server)
  const near = connect({ ...options, port: portOf(server), host: '127.0.0.1' })
  const [far]: Socket[] = await once(server, 'connection')
  if (far === undefined) throw new Error('no connection')
  server.close()
  for (const socket of [near, far]) {
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
  }
  return [near, far]
}

const onEnd = () => undefined

/** A session whose other end is a session, too. It accepts every stream. */
export async function openSessionPair(
  options: {
    readonly opening?: Partial<SessionOptions>
    readonly accepting?: Partial<SessionOptions>
  } = {},
) {
  const wires = await socketPair()
  const waiting: FrameStream[] = []
  let take: ((stream: FrameStream) => void) | undefined
  const opening = new FrameSession(wires[0], { onEnd, ...options.opening })
  const accepting = new FrameSession(wires[1], {
    onEnd,
    onOpen: (stream) => {
      stream.accept()
      if (take === undefined) waiting.push(stream)
      else take(stream)
      take = undefined
    },
    ...options.accepting,
  })
  const accepted = async () =>
    waiting.shift() ?? (await new Promise<FrameStream>((resolve) => (take = resolve)))
  /** Both ends of a new stream. */
  const openStream = async () => {
    const stream = opening.open('http')
    return [stream, await accepted()] as const
  }
  return { wires, opening, accepting, accepted, openStream }
}

type TypeName = keyof typeof frameTypes

interface SeenFrame {
  readonly type: number
  readonly id: number
  readonly payload: Buffer
}

/** Writes and reads frames as they are, right or wrong. */
export class RawPeer {
  readonly frames: SeenFrame[] = []
  readonly socket: Socket

  constructor(socket: Socket) {
    this.socket = socket
    const see = (type: number, id: number, payload: Buffer) =>
      this.frames.push({ type, id, payload: Buffer.from(payload) })
    const reader = new FrameReader((id, part) => see(frameTypes.data, id, part), see)
    socket.on('data', (chunk: Buffer) => reader.read(chunk))
  }

  send(type: TypeName, id: number, payload: Buffer | string = ''): boolean {
    return this.socket.write(frame(frameTypes[type], id, Buffer.from(payload)))
  }

  /** OPEN or OPENED. */
  sendOpening(type: 'open' | 'opened', id: number, credit: number, text = ''): void {
    this.send(type, id, Buffer.concat([uint32(credit), Buffer.from(text)]))
  }

  sendCredit(id: number, credit: number): void {
    this.send('credit', id, uint32(credit))
  }

  /** What has arrived on a stream. DATA comes in parts. */
  seen(id: number, type: TypeName): readonly SeenFrame[] {
    return this.frames.filter((one) => one.id === id && one.type === frameTypes[type])
  }

  dataBytes(id: number): number {
    return this.seen(id, 'data').reduce((sum, { payload }) => sum + payload.length, 0)
  }
}

/** A session with a peer that keeps to no rule. */
export async function openRawPair(options: Partial<SessionOptions> = {}) {
  const [near, far] = await socketPair()
  const ends: (string | undefined)[] = []
  const session = new FrameSession(near, {
    ...options,
    onEnd: (error) => {
      ends.push(error?.message)
      options.onEnd?.(error)
    },
  })
  onTestFinished(() => session.end())
  return { session, wire: near, peer: new RawPeer(far), ends }
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The memory of all buffers that something still refers to. */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // Buffers are freed beside the program, which the next collection waits for.
  for (let times = 0; times < 2; times += 1) {
    collect()
    await nextTurn()
  }
  return process.memoryUsage().arrayBuffers
}
