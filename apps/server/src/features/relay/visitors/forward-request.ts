import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { unsentBytes } from '../../../http/connections.ts'
import { hasBody } from '../../../http/slow-bodies.ts'
import { cancel, isWhole, type AnswerHead } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import type { RelayCounts } from '../relay-counts.ts'
import { answerHeaders, passedOn } from './forwarded-headers.ts'
import type { Transfer, Transfers } from './transfers.ts'
import { stateOfFailure, type VisitorState } from './visitor-states.ts'

/** After the answer is sent, the rest of the request may arrive for this long. */
const unreadMs = 2000

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
  readonly headers: OutgoingHttpHeaders
  readonly isByGrant: boolean
  readonly transfers: Pick<Transfers, 'begin'>
  readonly counts: RelayCounts
  readonly answerState: (state: VisitorState) => void
  readonly onAnswer: () => void
  /** Called instead if the agent has not begun the request, so that another agent may take it. */
  readonly retry: (() => void) | undefined
}

/** Passes both on with backpressure. An incomplete answer is cut, never ended as if it were whole. */
export function forwardRequest(forwarding: Forwarding): void {
  const { request, response, agent, islandKey, network, headers, transfers, counts } = forwarding
  const { socket } = request
  const withBody = hasBody(request)
  /** The visitor is to blame while the request is incomplete and the agent still reads it. */
  const stuckState = () =>
    withBody && !request.complete && stream?.writableNeedDrain !== true ? 'unsent' : 'timeout'
  let received = 0
  let sent = 0
  let stuck: VisitorState | undefined
  let interim = 0
  let stream: ClientHttp2Stream | undefined
  const transfer = transfers.begin({
    islandKey,
    network,
    progress: () => `${received} ${sent} ${socket.bytesWritten - unsent(request)}`,
    isWaiting: () => unsent(request) > 0 || (stream?.readableLength ?? 0) > 0,
    waitingBytes: () =>
      response.writableLength + unsentBytes(socket) + (stream?.readableLength ?? 0),
    cut: (why) => {
      stuck = stuckState()
      if (response.headersSent || why === 'shut') socket.destroy()
      if (stream !== undefined) cancel(stream)
    },
  })
  if (transfer === undefined) {
    forwarding.answerState('busy')
    return
  }
  try {
    stream = agent.request(headers, {
      endStream: !withBody,
      waitForTrailers: withBody && announcesTrailers(request),
    })
  } catch {
    transfer.end()
    forwarding.answerState(agent.isOpen ? 'unreadable' : 'agent-gone')
    return
  }
  counts.requests += 1
  const answer = stream

  if (withBody) sendBody(request, answer, (bytes) => (sent += bytes))
  answer
    .on('headers', (info: AnswerHead) => {
      interim += 1
      if (interim > interimMax || response.headersSent) return
      if (info[':status'] === 100) response.writeContinue()
      else passHint(response, info)
    })
    .on('response', (head: AnswerHead) =>
      begin(forwarding, answer, {
        head,
        transfer,
        stuckState,
        onBytes: (bytes) => (received += bytes),
      }),
    )
    .on('trailers', (trailers: IncomingHttpHeaders) => {
      if (response.headersSent && !response.writableEnded) passTrailers(response, answer, trailers)
    })
    // Its code says what it was when the stream closes.
    .on('error', () => undefined)
    .on('close', () => {
      transfer.end()
      counts.bytesToVisitors += received
      counts.bytesToServices += sent
      if (response.headersSent) {
        // The answer is incomplete. The visitor must not take it for whole.
        if (!response.writableEnded) socket.destroy()
      } else if (!socket.destroyed) {
        const isUndone = answer.rstCode === constants.NGHTTP2_REFUSED_STREAM && !withBody
        if (isUndone && forwarding.retry !== undefined) forwarding.retry()
        else forwarding.answerState(stuck ?? (agent.isOpen ? 'broken' : 'agent-gone'))
      }
    })
  response.once('close', () => {
    // The visitor left, or the answer is complete and the service did not read the rest of the request.
    if (!response.writableFinished || !request.complete) cancel(answer)
    if (response.writableFinished && !request.complete) dropRest(request)
  })
}

function begin(
  { response, answerState, onAnswer, isByGrant }: Forwarding,
  stream: ClientHttp2Stream,
  beginning: {
    readonly head: AnswerHead
    readonly transfer: Transfer
    readonly stuckState: () => VisitorState
    readonly onBytes: (bytes: number) => void
  },
): void {
  const { head, transfer, stuckState, onBytes } = beginning
  const failure = stateOfFailure(head)
  if (failure !== undefined) {
    answerState(failure === 'timeout' ? stuckState() : failure)
    cancel(stream)
    return
  }
  onAnswer()
  try {
    response.writeHead(head[':status'] ?? 0, {
      ...answerHeaders(head),
      ...(isByGrant && forPagesOfThisHost),
    })
  } catch {
    cancel(stream)
    return
  }
  if (/^text\/event-stream\b/i.test(head['content-type'] ?? '')) transfer.mayRest()
  stream.on('data', (chunk: Buffer) => onBytes(chunk.length))
  stream.on('end', () => {
    if (isWhole(stream)) response.end()
  })
  stream.pipe(response, { end: false })
  // Sends the headers with the first bytes if there are any yet, else alone.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

/** @param info an interim response. Only links (103) are of use to a browser */
function passHint(response: ServerResponse, info: AnswerHead): void {
  const { link } = info
  if (info[':status'] !== 103 || link === undefined) return
  if (![link].flat().every((one) => plainLink.test(one))) return
  try {
    response.writeEarlyHints({ link })
  } catch {
    // Invalid links. The answer does without them.
  }
}

function passTrailers(
  response: ServerResponse,
  stream: ClientHttp2Stream,
  trailers: IncomingHttpHeaders,
): void {
  try {
    response.addTrailers(Object.entries(answerHeaders(trailers)).flatMap(pairsOf))
  } catch {
    cancel(stream)
  }
}

function sendBody(
  request: IncomingMessage,
  stream: ClientHttp2Stream,
  onBytes: (bytes: number) => void,
): void {
  request.on('data', (chunk: Buffer) => onBytes(chunk.length))
  request.pipe(stream)
  stream.on('wantTrailers', () => {
    if (stream.closed || stream.destroyed) return
    try {
      stream.sendTrailers(passedOn(request.trailers))
    } catch {
      cancel(stream)
    }
  })
  request.on('error', () => undefined)
}

/** Unannounced trailers are dropped, as any hop may (RFC 9110, 6.5). */
function announcesTrailers({ headers }: IncomingMessage): boolean {
  return headers.trailer !== undefined && headers['transfer-encoding'] !== undefined
}

function unsent({ socket }: IncomingMessage): number {
  return socket.writableLength + unsentBytes(socket)
}

/** Lets the answer arrive before it closes the connection, on which the request would keep coming. */
function dropRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.socket.destroy(), unreadMs)
  request.once('close', () => clearTimeout(timer))
}

function pairsOf([name, value]: readonly [string, string | string[]]): [string, string][] {
  return [value].flat().map((one) => [name, one])
}
