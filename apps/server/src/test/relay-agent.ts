import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { pipeline, type Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { relayProtocol, relayWebSocketProtocol } from '@astropelago/contract/relay'
import { onTestFinished } from 'vitest'
import { createWebSocketStream, WebSocket } from 'ws'
import { serveSessionOver, socketPair } from '../features/relay/session-over.ts'

export type OnStream = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void

interface AgentOptions {
  readonly id?: string
  readonly island?: string
  readonly onStream?: OnStream
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestAgent {
  readonly id: string
  /** What the agent carries, according to the server. */
  readonly islands: string | undefined
  readonly session: ServerHttp2Session
  readonly wire: Duplex
  /** Ends the connection abruptly. */
  readonly cut: () => void
  /** Resolves when the connection has ended. */
  readonly closed: Promise<unknown>
}

/** The server's answer to an agent that it refuses. */
export class AgentRefused extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.body = body
  }
}

const hello: OnStream = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'text/plain' })
  stream.end('hello')
}

/**
 * A minimal agent that serves streams with `onStream`.
 * @throws AgentRefused
 */
export async function connectAgent(
  url: string,
  token: string,
  { id = randomUUID(), island, onStream = hello, headers = {} }: AgentOptions = {},
): Promise<TestAgent> {
  const asked = request(new URL('/api/relay/connect', url), {
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: relayProtocol,
      'astropelago-agent': id,
      ...(island !== undefined && { 'astropelago-island': island }),
      ...headers,
    },
  })
  asked.end()
  const [answer, wire, head] = await new Promise<[IncomingMessage, Duplex?, Buffer?]>(
    (resolve, reject) => {
      asked
        .on('error', reject)
        .on('response', (refusal) => resolve([refusal]))
        .on('upgrade', (...upgraded) => resolve(upgraded))
    },
  )
  if (wire === undefined) throw new AgentRefused(answer.statusCode ?? 0, await text(answer))
  if (head !== undefined && head.length > 0) wire.unshift(head)
  const islands = answer.headers['astropelago-island']
  return { ...(await serveOver(wire, id, onStream)), islands: islands?.toString() }
}

/** The same through a proxy that lets only WebSockets through. */
export async function connectAgentByWebSocket(
  url: string,
  token: string,
  onStream: OnStream = hello,
): Promise<TestAgent> {
  const id = randomUUID()
  const address = new URL('/api/relay/connect', url.replace('http:', 'ws:'))
  const socket = new WebSocket(address, relayWebSocketProtocol, {
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}`, 'astropelago-agent': id },
  })
  const messages = createWebSocketStream(socket)
  await once(socket, 'open')
  const [wire, end] = await socketPair()
  pipeline(messages, end, messages, () => end.destroy())
  return { ...(await serveOver(wire, id, onStream)), cut: () => socket.terminate() }
}

async function serveOver(wire: Duplex, id: string, onStream: OnStream): Promise<TestAgent> {
  const server = createServer({
    settings: { enableConnectProtocol: true, maxConcurrentStreams: 1000 },
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined)
    onStream(stream, headers)
  })
  const sessions = once(server, 'session')
  serveSessionOver(wire, server)
  const [session]: ServerHttp2Session[] = await sessions
  if (session === undefined) throw new Error('no session')
  session.on('error', () => undefined)
  wire.on('error', () => undefined)
  const closed = new Promise((resolve) => wire.once('close', resolve))
  onTestFinished(() => {
    session.destroy()
    wire.destroy()
  })
  return { id, islands: undefined, session, wire, cut: () => session.destroy(), closed }
}

/** Bytes that cannot be compressed. */
export const noise = (bytes: number) => randomBytes(bytes)
