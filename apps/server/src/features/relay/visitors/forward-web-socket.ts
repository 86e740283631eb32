import { createHash } from 'node:crypto'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import type { Socket } from 'node:net'
import { unsentBytes } from '../../../http/connections.ts'
import { cancel, isWhole, type AnswerHead } from '../agents/agent-session.ts'
import { answerHeaders } from './forwarded-headers.ts'
import type { Forwarding } from './forward-request.ts'
import { stateOfFailure } from './visitor-states.ts'

/** https://www.rfc-editor.org/rfc/rfc6455#section-1.3 */
const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const halfClosedMs = 10_000
/** WebSockets may be idle for days. TCP keep-alive finds out whether the other end still exists. */
const keepAliveMs = 60_000

interface WebSocketForwarding extends Omit<Forwarding, 'isByGrant' | 'onAnswer' | 'retry'> {
  readonly socket: Socket
  readonly head: Buffer
}

/** Opens a WebSocket to the service by RFC 8441, and passes its bytes on unchanged. */
export function forwardWebSocket(forwarding: WebSocketForwarding): void {
  const { request, socket, head, response: plain, agent, islandKey, network, headers } = forwarding
  const { transfers, counts } = forwarding
  let received = 0
  let sent = 0
  const key = request.headers['sec-websocket-key']
  if (key === undefined || !agent.takesConnect) {
    forwarding.answerState(key === undefined ? 'unreadable' : 'broken')
    return
  }
  const unsent = () => socket.writableLength + unsentBytes(socket)
  let isOpen = false
  let opened: ClientHttp2Stream | undefined
  const transfer = transfers.begin({
    islandKey,
    network,
    progress: () => `${received} ${sent} ${socket.bytesWritten - unsent()}`,
    isWaiting: () => unsent() > 0,
    waitingBytes: () => unsent() + (opened?.readableLength ?? 0),
    cut: (why) => {
      if (isOpen || plain.headersSent || why === 'shut') socket.destroy()
      else forwarding.answerState('timeout')
      if (opened !== undefined) cancel(opened)
    },
  })
  if (transfer === undefined) {
    forwarding.answerState('busy')
    return
  }
  const { 'sec-websocket-key': _key, ...others } = headers
  let stream
  try {
    stream = agent.request(
      { ...others, ':method': 'CONNECT', ':protocol': 'websocket' },
      { endStream: false },
    )
  } catch {
    transfer.end()
    forwarding.answerState(agent.isOpen ? 'unreadable' : 'agent-gone')
    return
  }
  opened = stream
  counts.webSockets += 1
  socket.setKeepAlive(true, keepAliveMs)
  if (head.length > 0) socket.unshift(head)

  stream
    .on('response', (answer: AnswerHead) => {
      // The transfer was cut and has already been answered.
      if (plain.headersSent || socket.destroyed) {
        cancel(stream)
        return
      }
      if (answer[':status'] !== 200) {
        passAnswer(forwarding, stream, answer)
        return
      }
      const lines = switching(key, answer)
      if (lines === undefined) {
        cancel(stream)
        return
      }
      isOpen = true
      transfer.mayRest()
      plain.detachSocket(socket)
      socket.write(lines)
      stream.on('data', (chunk: Buffer) => (received += chunk.length))
      socket.on('data', (chunk: Buffer) => (sent += chunk.length))
      stream.pipe(socket)
      socket.pipe(stream)
    })
    .on('error', () => undefined)
    .on('close', () => {
      transfer.end()
      counts.bytesToVisitors += received
      counts.bytesToServices += sent
      if (isOpen) {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) socket.destroy()
        else socket.destroySoon()
      } else if (!plain.headersSent) {
        forwarding.answerState(agent.isOpen ? 'broken' : 'agent-gone')
      } else if (!plain.writableEnded) {
        // The answer is incomplete. The visitor must neither take it for whole nor wait for the rest.
        socket.destroy()
      }
    })
  socket.on('error', () => socket.destroy())
  socket.once('end', () => {
    const timer = setTimeout(() => socket.destroy(), halfClosedMs)
    socket.once('close', () => clearTimeout(timer))
  })
  socket.once('close', () => cancel(stream))
}

function passAnswer(
  { response, answerState }: Pick<WebSocketForwarding, 'response' | 'answerState'>,
  stream: ClientHttp2Stream,
  answer: AnswerHead,
): void {
  const failure = stateOfFailure(answer)
  if (failure !== undefined) {
    answerState(failure)
    cancel(stream)
    return
  }
  try {
    response.writeHead(answer[':status'] ?? 0, answerHeaders(answer))
  } catch {
    cancel(stream)
    return
  }
  stream.once('end', () => {
    if (isWhole(stream)) response.end()
    else response.socket?.destroy()
    stream.end()
  })
  stream.pipe(response, { end: false })
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-4.2.2. Undefined if HTTP/1.1 forbids a header. */
function switching(key: string, answer: IncomingHttpHeaders): string | undefined {
  const accept = createHash('sha1')
    .update(key + acceptGuid)
    .digest('base64')
  const headers = Object.entries(answerHeaders(answer))
    .filter(([name]) => name !== 'sec-websocket-accept' && name !== 'content-length')
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
  } catch {
    return undefined
  }
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Accept: ${accept}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
}
