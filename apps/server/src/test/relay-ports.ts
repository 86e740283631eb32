import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { getIslandPort, takeIslandPort, type IslandPort } from '@astropelago/contract/relay-ports'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { onTestFinished, vi } from 'vitest'
import type { TestBrowser } from './create-test-app.ts'
import { freePort } from './listen.ts'
import type { FrameStream } from '../features/relay/frames/frame-stream.ts'
import { inTime } from './in-time.ts'

/** A range of one free port for islands. */
export async function onePort(host = '127.0.0.1') {
  const port = await freePort()
  return { host, first: port, last: port }
}

/** Requests a port for a host's island, again and again until memory knows the island. */
export async function takeTestPort({ inject }: TestBrowser, islandId: string): Promise<number> {
  const url = takeIslandPort.path.replace(':id', islandId)
  return await vi.waitFor(async () => {
    const response = await inject({ method: 'POST', url })
    if (response.statusCode !== 200) throw new Error(`No port: ${response.body}`)
    const { address } = v.parse(takeIslandPort.answers[200], response.json())
    if (address === null) throw new Error('No address yet')
    return Number(address.split(':').at(-1))
  }, inTime)
}

/** What the island's page requests when it is opened; undefined if the user may not enter. */
export async function openTestPort(
  { inject }: Pick<TestBrowser, 'inject'>,
  islandId: string,
  from: Pick<InjectOptions, 'remoteAddress'> = {},
): Promise<IslandPort | undefined> {
  const response = await inject({ url: getIslandPort.path.replace(':id', islandId), ...from })
  return response.statusCode === 200
    ? v.parse(getIslandPort.answers[200], response.json())
    : undefined
}

export interface TestVisitor {
  readonly socket: Socket
  /** All text received so far. */
  readonly heard: () => string
  /** Resolves when this text has arrived, and rejects if the connection ends before. */
  readonly hears: (text: string) => Promise<void>
  /** How the connection ended: properly, or by a reset. */
  readonly ended: Promise<'end' | 'reset'>
}

/** Connects like a game. */
export function visitPort(
  port: number,
  { host = '127.0.0.1', from = '127.0.0.1' } = {},
): TestVisitor {
  const socket = connect({ port, host, localAddress: from, allowHalfOpen: true, noDelay: true })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  const { promise: ended, resolve } = Promise.withResolvers<'end' | 'reset'>()
  socket
    .setEncoding('utf8')
    .on('data', (text: string) => (heard += text))
    .on('end', () => resolve('end'))
    .on('error', () => resolve('reset'))
    .on('close', () => resolve('reset'))
  return {
    socket,
    heard: () => heard,
    hears: async (text) => {
      while (!heard.includes(text)) {
        if (socket.readableEnded || socket.destroyed) throw new Error(`Ended after “${heard}”`)
        await Promise.race([once(socket, 'data'), ended])
      }
    },
    ended,
  }
}

/** An agent's TCP service that says hello, echoes what it receives, and ends after the last byte. */
export const echoTcp = (stream: FrameStream) => {
  stream.write('hello')
  stream.pipe(stream)
}
