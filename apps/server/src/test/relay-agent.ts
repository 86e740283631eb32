import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { relayProtocol, relayWebSocketProtocol } from '@astropelago/contract/relay'
import { onTestFinished } from 'vitest'
import { createWebSocketStream, WebSocket } from 'ws'
import { FrameSession } from '../features/relay/frames/frame-session.ts'
import type { FrameStream } from '../features/relay/frames/frame-stream.ts'

export type OnRequest = (request: IncomingMessage, response: ServerResponse) => void

/** What is behind an agent. Without `onStream`, it is an HTTP server. */
interface TestService {
  readonly onRequest?: OnRequest
  readonly onUpgrade?: (request: IncomingMessage, stream: Duplex, head: Buffer) => void
  readonly onTcp?: (stream: FrameStream) => void
  /** Takes all streams, which it has to accept. */
  readonly onStream?: (stream: FrameStream) => void
}

interface AgentOptions extends TestService {
  readonly id?: string
  readonly island?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestAgent {
  readonly id: string
  /** Of the server's 101. */
  readonly headers: IncomingHttpHeaders
  readonly session: FrameSession
  readonly wire: Duplex
  /** The text of the server's AWAY; undefined as long as there was none. */
  readonly away: () => string | undefined
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

const hello: OnRequest = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
}

/**
 * A minimal agent with a service.
 * @throws AgentRefused
 */
export async function connectAgent(
  url: string,
  token: string,
  { id = randomUUID(), island, headers = {}, ...service }: AgentOptions = {},
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
  return serveOver(wire, id, answer.headers, service)
}

/** The same through a proxy that lets only WebSockets through. */
export async function connectAgentByWebSocket(
  url: string,
  token: string,
  service: TestService = {},
): Promise<TestAgent> {
  const id = randomUUID()
  const address = new URL('/api/relay/connect', url.replace('http:', 'ws:'))
  const socket = new WebSocket(address, relayWebSocketProtocol, {
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}`, 'astropelago-agent': id },
  })
  const messages = createWebSocketStream(socket)
  const [[{ headers }]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])
  return { ...serveOver(messages, id, headers, service), cut: () => socket.terminate() }
}

function serveOver(
  wire: Duplex,
  id: string,
  headers: IncomingHttpHeaders,
  { onRequest = hello, onUpgrade, onTcp, onStream }: TestService,
): TestAgent {
  const server = createServer({ maxHeaderSize: 100_000 }, onRequest)
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade)
  let away: string | undefined
  const serve = (stream: FrameStream) => {
    stream.accept()
    if (stream.text === 'tcp') onTcp?.(stream)
    else server.emit('connection', stream)
  }
  const session = new FrameSession(wire, {
    onOpen: onStream ?? serve,
    onAway: (said) => (away = said),
    onEnd: () => undefined,
  })
  const closed = new Promise((resolve) => wire.once('close', resolve))
  onTestFinished(() => session.end())
  return {
    id,
    headers,
    session,
    wire,
    away: () => away,
    cut: () => session.end(),
    closed,
  }
}

/** Bytes that cannot be compressed. */
export const noise = (bytes: number) => randomBytes(bytes)

/** What a raw service does with a request for a target: sends these bytes, or anything else. */
export type RawAnswer = string | ((stream: FrameStream) => void)

/** A service of bytes, for requests without a body. Other targets than these get 204. */
export function rawService(
  answers: Readonly<Record<string, RawAnswer>>,
  onRequest: (head: string, stream: FrameStream) => void = () => undefined,
) {
  return (stream: FrameStream): void => {
    let unread = ''
    stream.accept()
    stream.on('end', () => stream.end())
    stream.on('data', (chunk: Buffer) => {
      const heads = `${unread}${chunk.toString('latin1')}`.split('\r\n\r\n')
      unread = heads.pop() ?? ''
      for (const head of heads) {
        onRequest(head, stream)
        const answer = answers[head.split(' ')[1] ?? ''] ?? 'HTTP/1.1 204 No Content\r\n\r\n'
        if (typeof answer === 'string') stream.write(answer, 'latin1')
        else answer(stream)
      }
    })
  }
}
