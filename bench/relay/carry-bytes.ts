import { once } from 'node:events'
import { connect, type OnReadOpts, type Socket } from 'node:net'
import { largeBytes, pieceBytes } from './transfer-size.ts'

/** The port and host for a driver's requests. */
export interface Door {
  readonly port: number
  readonly host: string
}

const piece = Buffer.alloc(pieceBytes, 'x')
/** Where downloads are read to, so that the driver makes no garbage. */
const scratch = Buffer.alloc(4 * pieceBytes)
const slowBytesPerS = 10_000

/** Megabytes a second of one download. Counts the bytes without checking them. */
export async function download(door: Door): Promise<number> {
  let left = largeBytes
  const callback = (length: number) => {
    left -= length
    if (left <= 0) socket.destroy()
    return true
  }
  const socket = await dial(door, { buffer: scratch, callback })
  const startedMs = performance.now()
  ask(socket, door, 'GET /large')
  await once(socket, 'close')
  return rate(startedMs, left <= 0)
}

/** Megabytes a second of one upload, until the answer. */
export async function upload(door: Door): Promise<number> {
  const socket = await dial(door)
  const startedMs = performance.now()
  const answered = once(socket, 'data')
  ask(socket, door, 'POST /', `Content-Length: ${largeBytes}`)
  for (let left = largeBytes; left > 0; left -= piece.length) {
    if (!socket.write(piece)) await once(socket, 'drain')
  }
  const [answer] = await answered
  socket.destroy()
  return rate(startedMs, isWell(answer))
}

/** Keeps two downloads running meanwhile. */
export async function besideDownloads<Result>(
  door: Door,
  run: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const keepOn = async () => {
    while (!over.signal.aborted) await download(door)
  }
  const downloads = [keepOn(), keepOn()]
  const result = await run()
  over.abort()
  await Promise.all(downloads)
  return result
}

export async function isAnswering(door: Door): Promise<boolean> {
  const socket = await dial(door)
  ask(socket, door, 'GET /')
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return isWell(answer)
}

/** A visitor who requests a large answer and takes 10 kB of it a second. */
export async function openSlowReader(door: Door): Promise<() => void> {
  const socket = await dial(door)
  ask(socket, door, 'GET /large')
  const reads = setInterval(() => socket.read(slowBytesPerS), 1000)
  return () => {
    clearInterval(reads)
    socket.destroy()
  }
}

function ask(socket: Socket, { host }: Door, request: string, ...headers: readonly string[]): void {
  socket.write([`${request} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'))
}

async function dial({ port }: Door, onread?: OnReadOpts): Promise<Socket> {
  const to = { port, host: '127.0.0.1', noDelay: true }
  const socket = connect({ ...to, ...(onread !== undefined && { onread }) })
  await once(socket, 'connect')
  return socket
}

const isWell = (answer: unknown) => String(answer).startsWith('HTTP/1.1 200')

function rate(startedMs: number, isWhole: boolean): number {
  if (!isWhole) throw new Error('The transfer was incomplete')
  return largeBytes / 1000 / (performance.now() - startedMs)
}
