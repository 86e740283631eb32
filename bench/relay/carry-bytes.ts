import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { largeBytes, pieceBytes } from './transfer-size.ts'

/** The port and host for a driver's requests. */
export interface Door {
  readonly port: number
  readonly host: string
}

const piece = Buffer.alloc(pieceBytes, 'x')

/** Megabytes a second of one download. Counts the bytes without checking them. */
export async function download(door: Door): Promise<number> {
  const socket = await dial(door)
  const startedMs = performance.now()
  ask(socket, door, 'GET /large')
  let left = largeBytes
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left <= 0) socket.destroy()
  })
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

export async function isAnswering(door: Door): Promise<boolean> {
  const socket = await dial(door)
  ask(socket, door, 'GET /')
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return isWell(answer)
}

/** A visitor who requests a large answer and reads nothing. */
export async function openSlowReader(door: Door): Promise<() => void> {
  const socket = await dial(door)
  socket.pause()
  ask(socket, door, 'GET /large')
  return () => socket.destroy()
}

function ask(socket: Socket, { host }: Door, request: string, ...headers: readonly string[]): void {
  socket.write([`${request} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'))
}

async function dial({ port }: Door): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

const isWell = (answer: unknown) => String(answer).startsWith('HTTP/1.1 200')

function rate(startedMs: number, isWhole: boolean): number {
  if (!isWhole) throw new Error('The transfer was incomplete')
  return largeBytes / 1000 / (performance.now() - startedMs)
}
