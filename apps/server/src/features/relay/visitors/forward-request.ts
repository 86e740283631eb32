import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import {
  constants,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2'
import { unsentBytes } from '../../../http/connections.ts'
import { hasBody } from '../../../http/slow-bodies.ts'
import { cancel, isWhole } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import type { RelayCounts } from '../relay-counts.ts'
import { answerHeaders } from './answer-headers.ts'
import { passedOn } from './request-headers.ts'
import type { Transfer, Transfers } from './transfers.ts'
import { stateOfFailure, type VisitState } from './visit-states.ts'

/** What is left of a request whose answer is out has so long before its connection is closed. */
const unreadMs = 2000

/** Node's own check of a link backtracks without bound. This one is linear, and what passes it is safe to hand over. */
const plainLink = /^<[^>\r\n]*>(?:\s*;\s*[^;="\s]+(?:=(?:"[^;"\s]*"|[^;="\s]*))?)*$/

/**
 * What a visit got is for its island's own pages: other islands have one cache with it, as one site, and a page of
 * theirs can have a browser without `Sec-Fetch-Site` ask for a script as if it opened a page.
 */
const forPagesOfThisHost = { 'cross-origin-resource-policy': 'same-origin' }

/** What a service says ahead of its answer; more is for nobody. */
const interimMax = 16

export interface Forwarding {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly agent: ReachableAgent
  readonly islandKey: number
  /** Where the visitor comes from, as limits tell it apart. */
  readonly network: string
  readonly headers: OutgoingHttpHeaders
  /** Whether the visitor is in by a visit, and not as anybody is. */
  readonly isByVisit: boolean
  readonly transfers: Pick<Transfers, 'begin'>
  readonly counts: RelayCounts
  /** Answers in the service's stead, as long as nothing of its own answer is out. */
  readonly answerState: (state: VisitState) => void
  /** Called when the service answers, whatever it says. */
  readonly noteAnswer: () => void
  /** Called instead where the agent says that it has done nothing: another agent may do it. */
  readonly retry: (() => void) | undefined
}

/**
 * Passes a visitor's request on to an agent, and the answer back, each as it comes and no faster than it is
 * taken. An answer that does not come whole is cut, never ended as if it were.
 */
export function forwardRequest(forwarding: Forwarding): void {
  const { request, response, agent, islandKey, network, headers, transfers, counts } = forwarding
  const { socket } = request
  const withBody = hasBody(request)
  /** Nothing moves: while the visitor has more to say, and is listened to, the service is not to blame. */
  const stuckState = () =>
    withBody && !request.complete && stream?.writableNeedDrain !== true ? 'unsent' : 'timeout'
  let received = 0
  let sent = 0
  let stuck: VisitState | undefined
  let interim = 0
  let stream: ClientHttp2Stream | undefined
  const transfer = transfers.begin({
    islandKey,
    network,
    progress: () => `${received} ${sent} ${socket.bytesWritten - unsent(request)}`,
    isWaiting: () => unsent(request) > 0 || (stream?.readableLength ?? 0) > 0,
    waitingBytes: () =>
      response.writableLength + (unsentBytes(socket) ?? 0) + (stream?.readableLength ?? 0),
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
    .on('headers', (info: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
      interim += 1
      if (interim > interimMax || response.headersSent) return
      if (info[':status'] === 100) response.writeContinue()
      else passHint(response, info)
    })
    .on('response', (head: IncomingHttpHeaders & IncomingHttpStatusHeader) =>
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
    // What it was is told by its code, when it is closed.
    .on('error', () => undefined)
    .on('close', () => {
      transfer.end()
      counts.bytesToVisitors += received
      counts.bytesToServices += sent
      if (response.headersSent) {
        // It did not end: whoever reads must not take it for whole.
        if (!response.writableEnded) socket.destroy()
      } else if (!socket.destroyed) {
        const isUndone = answer.rstCode === constants.NGHTTP2_REFUSED_STREAM && !withBody
        if (isUndone && forwarding.retry !== undefined) forwarding.retry()
        else forwarding.answerState(stuck ?? (agent.isOpen ? 'broken' : 'agent-gone'))
      }
    })
  response.once('close', () => {
    // A visitor who goes; or all is told, and what the service did not want to hear goes nowhere.
    if (!response.writableFinished || !request.complete) cancel(answer)
    if (response.writableFinished && !request.complete) dropRest(request)
  })
}

interface Beginning {
  readonly head: IncomingHttpHeaders & IncomingHttpStatusHeader
  readonly transfer: Transfer
  readonly stuckState: () => VisitState
  readonly onBytes: (bytes: number) => void
}

function begin(
  { response, answerState, noteAnswer, isByVisit }: Forwarding,
  stream: ClientHttp2Stream,
  { head, transfer, stuckState, onBytes }: Beginning,
): void {
  const failure = stateOfFailure(head)
  if (failure !== undefined) {
    answerState(failure === 'timeout' ? stuckState() : failure)
    cancel(stream)
    return
  }
  noteAnswer()
  try {
    response.writeHead(head[':status'] ?? 0, {
      ...answerHeaders(head),
      ...(isByVisit && forPagesOfThisHost),
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
  // With its first bytes, where they are there already; without any, what is known is told now.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders()
  })
}

/** @param info what comes ahead of an answer: of all kinds links alone mean something to a browser */
function passHint(
  response: ServerResponse,
  info: IncomingHttpHeaders & IncomingHttpStatusHeader,
): void {
  const { link } = info
  if (info[':status'] !== 103 || link === undefined) return
  if (![link].flat().every((one) => plainLink.test(one))) return
  try {
    response.writeEarlyHints({ link })
  } catch {
    // No links at all: the answer does without.
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
  // Its connection is gone: `close` of the response tells.
  request.on('error', () => undefined)
}

/** Others that a visitor sends are dropped, as any hop may (RFC 9110, 6.5). */
function announcesTrailers({ headers }: IncomingMessage): boolean {
  return headers.trailer !== undefined && headers['transfer-encoding'] !== undefined
}

/** What waits on the visitor's connection for the visitor to take it. */
function unsent({ socket }: IncomingMessage): number {
  return socket.writableLength + (unsentBytes(socket) ?? 0)
}

/** Lets the answer arrive before the connection goes, on which the request would come and come. */
function dropRest(request: IncomingMessage): void {
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.socket.destroy(), unreadMs)
  request.once('close', () => clearTimeout(timer))
}

function pairsOf([name, value]: readonly [string, string | string[]]): [string, string][] {
  return [value].flat().map((one) => [name, one])
}
