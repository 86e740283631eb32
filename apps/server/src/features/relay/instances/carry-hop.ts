import {
  constants,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { relayErrorHeader } from '@astropelago/contract/relay'
import { cancel, isWhole, type AgentSession, type AnswerHead } from '../agents/agent-session.ts'
import type { Transfer, Transfers } from '../visitors/transfers.ts'
import { networkOf } from '../visitors/visitor-address.ts'
import { hopHeader, hopTargetHeader } from './hop-signature.ts'

/** Interim responses (1xx) past this are dropped. The visitor's own server counts them too. */
const interimMax = 16
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * Passes a request that another server handed on to an agent on this server, and the answer back, with
 * backpressure. An end or a cut on one side becomes the same on the other.
 */
export function carryHop(
  from: ServerHttp2Stream,
  { [hopHeader]: _signed, [hopTargetHeader]: _target, ...headers }: IncomingHttpHeaders,
  options: {
    readonly session: AgentSession
    readonly islandKey: number
    readonly transfers: Pick<Transfers, 'begin'>
    /** For connections to islands' ports, so that they take no room from pages. */
    readonly connections: Pick<Transfers, 'begin'>
  },
): void {
  const { session, islandKey, transfers, connections } = options
  const asked: OutgoingHttpHeaders = headers
  if (asked[':protocol'] !== undefined && !session.takesConnect) {
    answerInstead(from, 'bad-answer')
    return
  }
  let checks = 0
  // Limits per network on port connections are for the server that has the port.
  const isConnection = asked[':method'] === 'CONNECT' && asked[':protocol'] === undefined
  const transfer = (isConnection ? connections : transfers).begin({
    islandKey,
    ...(!isConnection && { network: networkOf(String(headers['x-forwarded-for'])) }),
    // Only the visitor's own server decides whether it is stuck.
    progress: () => String((checks += 1)),
    isWaiting: () => false,
    cut: () => cut(from),
  })
  if (transfer === undefined) {
    answerInstead(from, 'busy')
    return
  }
  let to: ClientHttp2Stream
  try {
    to = session.request(asked, {
      endStream: from.endAfterHeaders,
      waitForTrailers: announcesTrailers(headers) && !from.endAfterHeaders,
    })
  } catch {
    transfer.end()
    // Nothing was sent yet, so the visitor's server may ask another agent.
    from.close(constants.NGHTTP2_REFUSED_STREAM)
    return
  }
  if (!from.endAfterHeaders) passBody(from, to)
  passAnswer(from, to, transfer, asked[':method'] === 'HEAD')
  to.on('error', () => undefined).on('close', () => {
    transfer.end()
    if (!from.headersSent && !from.destroyed) {
      if (to.rstCode === constants.NGHTTP2_REFUSED_STREAM) from.close(to.rstCode)
      else answerInstead(from, session.isOpen ? 'reset' : 'gone')
    } else if (!from.writableEnded) cut(from)
    // Discard what arrives until the sender learns of the end.
    from.resume()
  })
  from.once('close', () => cancel(to))
}

/** Reports why no service answers, as an agent would. */
export function answerInstead(
  stream: ServerHttp2Stream,
  why: 'gone' | 'busy' | 'reset' | 'bad-answer',
): void {
  if (stream.headersSent || stream.destroyed || stream.closed) return
  const status = why === 'gone' || why === 'busy' ? 503 : 502
  stream.respond({ ':status': status, [relayErrorHeader]: why }, { endStream: true })
}

function passBody(from: ServerHttp2Stream, to: ClientHttp2Stream): void {
  let trailers: IncomingHttpHeaders = {}
  from.on('trailers', (found: IncomingHttpHeaders) => {
    trailers = found
  })
  to.on('wantTrailers', () => {
    if (to.closed || to.destroyed) return
    try {
      to.sendTrailers(trailers)
    } catch {
      cancel(to)
    }
  })
  from.on('end', () => {
    if (isWhole(from)) to.end()
    else cancel(to)
  })
  from.pipe(to, { end: false })
}

/** The visitor's server waits for trailers under the same condition. */
function announcesTrailers(headers: IncomingHttpHeaders): boolean {
  return headers.trailer !== undefined && headers['content-length'] === undefined
}

function passAnswer(
  from: ServerHttp2Stream,
  to: ClientHttp2Stream,
  transfer: Transfer,
  isHead: boolean,
): void {
  let interim = 0
  let trailers: IncomingHttpHeaders = {}
  const orCut = (send: () => void) => {
    try {
      if (!from.destroyed && !from.closed) send()
    } catch {
      // HTTP/2 rejects these headers.
      cancel(to)
    }
  }
  to.on('headers', (info: AnswerHead) => {
    interim += 1
    if (interim > interimMax || from.headersSent) return
    orCut(() => from.additionalHeaders(info))
  })
  to.on('response', (head: AnswerHead) => {
    const status = head[':status'] ?? 0
    const isEmpty = isHead || bodiless.has(status)
    // Trailers are known only at the end, so expect them for any answer without a length.
    const waitForTrailers = !isEmpty && head['content-length'] === undefined
    orCut(() => from.respond(head, { endStream: isEmpty, waitForTrailers }))
    if (from.closed || !from.headersSent) return
    const isStream = /^text\/event-stream\b/i.test(head['content-type'] ?? '')
    if (isStream || to.sentHeaders[':method'] === 'CONNECT') transfer.mayRest()
    to.on('end', () => {
      if (isWhole(to)) from.end()
    })
    if (isEmpty) to.resume()
    else to.pipe(from, { end: false })
  })
  to.on('trailers', (found: IncomingHttpHeaders) => {
    trailers = found
  })
  from.on('wantTrailers', () => orCut(() => from.sendTrailers(trailers)))
}

/**
 * `close` would first end the body properly. It waits for the next turn, because Node ends the process
 * (`Http2Stream::OnTrailers`, 26.10) if a stream that waits for trailers is destroyed while its session
 * reads.
 */
function cut(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.destroy(new Error('cut')))
}
