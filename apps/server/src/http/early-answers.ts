import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyServerFactoryHandler } from 'fastify'
import type { AnswerCounts } from './answer-counts.ts'
import { isUpgrade } from './protocol-upgrades.ts'
import type { RateLimits } from './rate-limits.ts'
import { type IsElsewhere, refuseElsewhere } from './site-host.ts'
import { cutSlowBodies, hasBody } from './slow-bodies.ts'

/** Takes requests by their Host, before anything of the site sees them, and answers all of them itself. */
export interface OtherHosts {
  readonly takes: (request: IncomingMessage) => boolean
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly isUpgrade: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void
  /** Whether it watches the data that waits on a connection by itself. */
  readonly watches: (socket: Socket) => boolean
}

export const siteAlone: OtherHosts = {
  takes: () => false,
  answer: () => false,
  isUpgrade: () => false,
  upgrade: () => undefined,
  watches: () => false,
}

export type AnswerEarly = (
  request: IncomingMessage,
  response: ServerResponse,
  goOrdinaryWay: () => void,
) => boolean

/** What a feature answers early with. */
export interface EarlyParts {
  readonly answers: AnswerCounts
  readonly takeEarly: RateLimits['takeEarly']
  /** Headers of every answer of this server. */
  readonly headers: Readonly<Record<string, string>>
}

/** Requests of one connection that may wait for answers. A thousand in one packet begin within 0.1 s. */
const pipelinedMax = 16

interface ServerTimes {
  /** For the headers of a request, and then for its body. */
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  readonly connectionsCheckingInterval: number
}

type TakeUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void

/** The HTTP server below Fastify. It hands over other hosts' requests, and answers the most frequent calls. */
export class EarlyAnswers {
  readonly #times: ServerTimes
  readonly #isElsewhere: IsElsewhere
  #answers: readonly AnswerEarly[] = []
  #mayAnswer: () => boolean = () => false
  #otherHosts = siteAlone
  #takeUpgrade: TakeUpgrade = (_request, socket) => void socket.destroy()
  readonly #unanswered = new WeakMap<Socket, number>()
  readonly #lastWithBody = new WeakMap<Socket, ServerResponse>()

  constructor(times: ServerTimes, isElsewhere: IsElsewhere = () => false) {
    this.#times = times
    this.#isElsewhere = isElsewhere
  }

  /** @param mayAnswer whether memory is current enough. Until `start`, Fastify answers everything */
  start(mayAnswer: () => boolean, ...answers: readonly AnswerEarly[]): void {
    this.#mayAnswer = mayAnswer
    this.#answers = answers
  }

  serveHosts(otherHosts: OtherHosts, takeUpgrade: TakeUpgrade): void {
    this.#otherHosts = otherHosts
    this.#takeUpgrade = takeUpgrade
  }

  readonly isWatchedElsewhere = (socket: Socket): boolean => this.#otherHosts.watches(socket)

  /** Whether a refusal would be taken for an earlier request's answer, or break into this one's. */
  readonly owesAnswer = (socket: Socket): boolean => {
    const owed = this.#unanswered.get(socket) ?? 0
    const last = this.#lastWithBody.get(socket)
    // A body that can't be read ends its own request, and the refusal is the answer to it.
    const isOfBody = last !== undefined && !last.req.complete && !last.headersSent
    return owed > (isOfBody ? 1 : 0)
  }

  stop(): void {
    this.#answers = []
  }

  readonly serverFactory = (handler: FastifyServerFactoryHandler): Server => {
    // Fastify refuses a request without Host, in the usual shape.
    const { requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = this.#times
    const server = createServer({
      headersTimeout: requestTimeout,
      // Node's own limit would apply to the bodies of all hosts.
      requestTimeout: 0,
      keepAliveTimeout,
      connectionsCheckingInterval,
      requireHostHeader: false,
      shouldUpgradeCallback: this.#isUpgrade,
    })
    const watchBody = cutSlowBodies(server, {
      maxMs: requestTimeout,
      checkMs: connectionsCheckingInterval,
    })
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (!this.#isTaken(request.socket, response)) return
      if (hasBody(request)) this.#lastWithBody.set(request.socket, response)
      if (this.#otherHosts.answer(request, response)) return
      watchBody(request)
      if (this.#isElsewhere(request)) {
        refuseElsewhere(response)
        return
      }
      const goOrdinaryWay = () => {
        // Reset before it was read: no answer is awaited, and there is no address to count.
        if (request.socket.remoteAddress !== undefined) handler(request, response)
      }
      const isAnswered =
        this.#mayAnswer() &&
        this.#answers.some((answer) => answer(request, response, goOrdinaryWay))
      if (!isAnswered) goOrdinaryWay()
    }
    server.on('request', take)
    // Servers need not support any expectation. Answer as if there were none.
    server.on('checkExpectation', take)
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // On another host, that host decides.
      const isOurs = !this.#otherHosts.takes(request) && !this.#isElsewhere(request)
      if (isOurs) response.writeContinue()
      take(request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (this.#otherHosts.takes(request)) this.#otherHosts.upgrade(request, socket, head)
      else this.#takeUpgrade(request, socket, head)
    })
    return server
  }

  /** A connection can't be handed over while an answer is owed or a body is still arriving. */
  readonly #isUpgrade = (request: IncomingMessage): boolean => {
    if ((this.#unanswered.get(request.socket) ?? 0) > 0 || hasBody(request)) return false
    return this.#otherHosts.takes(request)
      ? this.#otherHosts.isUpgrade(request)
      : isUpgrade(request) && !this.#isElsewhere(request)
  }

  #isTaken(socket: Socket, response: ServerResponse): boolean {
    // Requests that came with the one too many are still read.
    if (socket.destroyed) return false
    const waiting = (this.#unanswered.get(socket) ?? 0) + 1
    if (waiting > pipelinedMax) {
      endCheaply(socket)
      return false
    }
    this.#unanswered.set(socket, waiting)
    response.once('close', () => {
      this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1)
    })
    return true
  }
}

/** Node destroys each request of a packet with an error. A thousand stack traces took longer than all else. */
function endCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}
