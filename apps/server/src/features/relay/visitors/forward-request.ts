import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { unreadBytes } from '../../../http/connections.ts'
import { hasBody } from '../../../http/slow-bodies.ts'
import type { Service } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { requestService } from '../agents/service-request.ts'
import { carryStream, isWhole, joinStreams, type Carried } from '../carry-stream.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import type { RelayCounts } from '../relay-counts.ts'
import {
  answerHeaders,
  passedOn,
  visitorsLocation,
  type VisitorAddress,
} from './forwarded-headers.ts'
import type { Transfers } from './transfers.ts'
import type { VisitorState } from './visitor-states.ts'
import { switchToWebSocket } from './web-socket-handshake.ts'

/** After the answer is sent, the rest of the request may arrive for this long. */
const unreadMs = 2000
const halfClosedMs = 10_000
/** WebSockets may be idle for days. TCP keep-alive finds out whether the other end still exists. */
const keepAliveMs = 60_000

/** Node's own check of a link backtracks without bound. This one is linear, and stricter. */
const plainLink = /^<[^>\r\n]*>(?:\s*;\s*[^;="\s]+(?:=(?:"[^;"\s]*"|[^;="\s]*))?)*$/

/** For its island's own pages only: browsers take all islands for one site with one cache. */
const forPagesOfThisHost = { 'cross-origin-resource-policy': 'same-origin' }

const interimMax = 16

export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly agent: ReachableAgent
  readonly islandKey: number
  readonly network: string
  /** Without `Host` and the body's length: each name followed by its value. */
  readonly headers: readonly string[]
  readonly asked: VisitorAddress
  readonly isByGrant: boolean
  readonly transfers: Pick<Transfers, 'begin'>
  readonly counts: RelayCounts
  readonly answerState: (state: VisitorState) => void
  readonly onAnswer: () => void
  /** Called instead if the agent has gone before it took the request, so that another one may take it. */
  readonly retry: () => void
  readonly isRetry: boolean
  /** The visitor's connection, if the visitor opens a WebSocket. */
  readonly webSocket?: { readonly socket: Socket; readonly head: Buffer }
}

/** Passes both on with backpressure. An incomplete answer is cut, never ended as if it were whole. */
export function forwardRequest(forwarding: Forwarding): void {
  const { request, response, agent, counts, webSocket } = forwarding
  const { socket } = request
  if (webSocket !== undefined && request.headers['sec-websocket-key'] === undefined) {
    forwarding.answerState('unreadable')
    return
  }
  const withBody = webSocket === undefined && hasBody(request)
  const isRepeatable = webSocket === undefined && !withBody && mayRepeat(request)
  let kept: { readonly stream: FrameStream; readonly bytesRead: number } | undefined
  let carried: Carried | undefined
  let sent: ClientRequest | undefined
  let answer: IncomingMessage | undefined
  let isSwitched = false
  if (!forwarding.isRetry) counts[webSocket === undefined ? 'requests' : 'webSockets'] += 1

  const begin = (service: Service) => {
    const stream = carried?.stream
    if (stream === undefined || stream.destroyed) return
    sent = send(forwarding, stream, service, { withBody, isRepeatable })
    if (sent === undefined) {
      forwarding.answerState('unreadable')
      stream.destroy()
      return
    }
    let interim = 0
    sent
      .on('error', () => undefined)
      .on('information', (info: InterimAnswer) => {
        interim += 1
        if (interim <= interimMax && !response.headersSent) passInterim(response, info)
      })
      .once('response', (found) => {
        answer = found
        passAnswer(forwarding, found, service)
        if (/^text\/event-stream\b/i.test(found.headers['content-type'] ?? '')) carried?.mayRest()
      })
      .once('upgrade', (found, _socket, head) => {
        const isAgreed =
          webSocket !== undefined &&
          !socket.destroyed &&
          switchToWebSocket(request, response, found)
        if (!isAgreed) {
          stream.destroy()
          return
        }
        isSwitched = true
        carried?.mayRest()
        if (head.length > 0) stream.unshift(head)
        passWebSocket(webSocket, stream)
      })
    if (isRepeatable) stream.once('free', () => carried?.release())
    if (withBody) sendBody(request, sent)
    else sent.end()
  }

  carryStream(
    {
      ...forwarding,
      visitor: socket,
      until: webSocket === undefined ? response : socket,
      // Not before the transfer has begun: nobody would take care of a stream that it refuses.
      open: () => {
        const stream = isRepeatable ? agent.kept.take() : undefined
        if (stream === undefined) return agent.open('http')
        kept = { stream, bytesRead: stream.bytesRead }
        return stream
      },
      hasBegun: () => isSwitched || response.headersSent,
      // The visitor is to blame while the request is incomplete and the service still reads it.
      stuckState: () =>
        withBody && !request.complete && sent?.writableNeedDrain !== true ? 'unsent' : 'timeout',
      waitingBytes: () =>
        isSwitched
          ? 0
          : response.writableLength + unreadBytes(request) + (answer ? unreadBytes(answer) : 0),
    },
    (opened) => {
      carried = opened
      // Whatever the service says before it is asked. [A21]
      opened.stream.isStrict = true
      agent.withService(opened.stream, begin)
    },
    (why) => {
      const stream = carried?.stream
      if (isSwitched) {
        if (stream !== undefined && isWhole(stream)) socket.destroySoon()
        else socket.destroy()
      } else if (response.headersSent) {
        // The visitor must neither take half an answer for whole nor wait for the rest.
        if (answer?.complete === false && !response.writableEnded) socket.destroy()
      } else if (
        // The service only closed its idle connection, so it may still get the request. An agent that has gone
        // may have passed it on.
        agent.isOpen &&
        kept !== undefined &&
        kept.stream === stream &&
        kept.stream.bytesRead === kept.bytesRead &&
        (why === undefined || why === 'broken') &&
        !socket.destroyed
      ) {
        carried?.openAgain(() => agent.open('http'))
      } else if (
        why === 'agent-gone' &&
        stream?.isConnected !== true &&
        !withBody &&
        !forwarding.isRetry
      ) {
        carried?.end()
        forwarding.retry()
      } else if (!socket.destroyed) {
        forwarding.answerState(why ?? (agent.isOpen ? 'broken' : 'agent-gone'))
      }
    },
  )
  if (webSocket === undefined) {
    response.once('close', () => {
      if (response.writableFinished && !request.complete) dropRest(request)
    })
  }
}

/** Undefined if HTTP/1.1 can't carry the request. */
function send(
  { request, agent, asked, headers, webSocket }: Forwarding,
  stream: FrameStream,
  service: Service,
  { withBody, isRepeatable }: { readonly withBody: boolean; readonly isRepeatable: boolean },
): ClientRequest | undefined {
  const framing =
    webSocket === undefined ? bodyHeaders(request, withBody) : ['upgrade', 'websocket']
  try {
    return requestService(stream, {
      method: request.method ?? 'GET',
      path: asked.path,
      headers: ['host', service.host ?? asked.authority, ...headers, ...framing],
      kept: isRepeatable ? agent.kept : undefined,
    })
  } catch {
    return undefined
  }
}

/** Whether a request may be sent twice. A kept connection may close just as a request is sent on it. */
function mayRepeat({ method = '', headers }: IncomingMessage): boolean {
  return (
    /^(?:GET|HEAD|OPTIONS)$/.test(method) &&
    headers.upgrade === undefined &&
    headers.expect === undefined &&
    // These schemes sign in a connection, not a request.
    !/^(?:ntlm|negotiate)\b/i.test(headers.authorization ?? '')
  )
}

function bodyHeaders({ method = '', headers }: IncomingMessage, withBody: boolean): string[] {
  const length = headers['content-length']
  if (length !== undefined) return ['content-length', length]
  if (withBody) return ['transfer-encoding', 'chunked']
  return /^(?:POST|PUT|PATCH)$/.test(method) ? ['content-length', '0'] : []
}

function sendBody(request: IncomingMessage, sent: ClientRequest): void {
  sent.flushHeaders()
  request.pipe(sent, { end: false })
  request
    .on('end', () => {
      if (request.headers['content-length'] === undefined) {
        sent.addTrailers(pairsOf(passedOn(request.trailers)))
      }
      sent.end()
    })
    .on('error', () => undefined)
}

function passAnswer(
  { request, response, asked, onAnswer, isByGrant }: Forwarding,
  answer: IncomingMessage,
  service: Service,
): void {
  const { statusCode = 0, headers } = answer
  // `close` follows and is enough.
  answer.on('error', () => undefined)
  if (response.headersSent || response.destroyed || statusCode < 200 || statusCode > 599) {
    answer.destroy()
    return
  }
  onAnswer()
  const location = headers.location && visitorsLocation(headers.location, service, asked)
  const passed = answerHeaders(headers)
  // Node refuses to announce trailers that it can't send.
  if (!isInChunks(request, statusCode)) delete passed['trailer']
  try {
    response.writeHead(statusCode, {
      ...passed,
      ...(location !== undefined && { location }),
      ...(isByGrant && forPagesOfThisHost),
    })
  } catch {
    answer.destroy()
    return
  }
  answer.on('end', () => {
    if (!answer.complete) return
    try {
      response.addTrailers(pairsOf(answerHeaders(answer.trailers)))
    } catch {
      request.socket.destroy()
      return
    }
    response.end()
  })
  answer.pipe(response, { end: false })
  // Sends the headers with the first bytes if there are any yet, else alone.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

/** Whether an answer without a length goes to its visitor in chunks. */
function isInChunks({ method, httpVersion }: IncomingMessage, statusCode: number): boolean {
  return method !== 'HEAD' && httpVersion !== '1.0' && statusCode !== 204 && statusCode !== 304
}

interface InterimAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Passes on 100, and the links of 103. Nothing else is of use to a browser. */
function passInterim(response: ServerResponse, { statusCode, headers }: InterimAnswer): void {
  if (statusCode === 100) {
    response.writeContinue()
    return
  }
  const { link } = headers
  if (statusCode !== 103 || link === undefined) return
  if (![link].flat().every((one) => plainLink.test(one))) return
  try {
    response.writeEarlyHints({ link })
  } catch {
    // Invalid links. The answer does without them.
  }
}

function passWebSocket(
  { socket, head }: NonNullable<Forwarding['webSocket']>,
  stream: FrameStream,
) {
  socket.setKeepAlive(true, keepAliveMs)
  if (head.length > 0) socket.unshift(head)
  socket.once('end', () => {
    const timer = setTimeout(() => socket.destroy(), halfClosedMs)
    socket.once('close', () => clearTimeout(timer))
  })
  joinStreams(socket, stream)
}

/** Lets the answer arrive before it closes the connection, on which the request would keep coming. */
function dropRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.socket.destroy(), unreadMs)
  request.once('close', () => clearTimeout(timer))
}

function pairsOf(headers: Readonly<Record<string, string | string[]>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
}
