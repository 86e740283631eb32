import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyServerFactoryHandler } from 'fastify'
import { siteAlone, type OtherHosts } from './host-first.ts'
import { isUpgrade } from './protocol-upgrades.ts'
import { hasBody, SlowBodies } from './slow-bodies.ts'

/** Answers a request and says so, or leaves it alone: then it goes the ordinary way. */
export type AnswerEarly = (
  request: IncomingMessage,
  response: ServerResponse,
  goOrdinaryWay: () => void,
) => boolean

/**
 * How many requests of one connection may wait for their answers. All that come in one packet are begun in
 * one go, a thousand small ones in a tenth of a second; browsers and curl wait for each answer.
 */
const pipelinedMax = 16

interface ServerTimes {
  /** For the headers of a request, and then for its body. */
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  /** How often it is looked for requests that are too slow. */
  readonly connectionsCheckingInterval: number
}

type TakeUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void

/**
 * The HTTP server below Fastify. What is for another host never gets further. Calls that come by the ten
 * thousand may be answered here, before hooks and routing; Fastify answers the same call with the same
 * answer, only slower.
 */
export class EarlyAnswers {
  readonly #times: ServerTimes
  #answers: readonly AnswerEarly[] = []
  #mayAnswer: () => boolean = () => false
  #otherHosts = siteAlone
  #takeUpgrade: TakeUpgrade = (_request, socket) => void socket.destroy()
  readonly #unanswered = new WeakMap<Socket, number>()

  constructor(times: ServerTimes) {
    this.#times = times
  }

  /**
   * To be called when what it takes is built; until then, and after `stop`, Fastify answers all.
   * @param mayAnswer whether what memory holds is new enough to answer from
   */
  start(mayAnswer: () => boolean, ...answers: readonly AnswerEarly[]): void {
    this.#mayAnswer = mayAnswer
    this.#answers = answers
  }

  /** @param takeUpgrade what becomes of a connection to the site that leaves HTTP */
  serveHosts(otherHosts: OtherHosts, takeUpgrade: TakeUpgrade): void {
    this.#otherHosts = otherHosts
    this.#takeUpgrade = takeUpgrade
  }

  /** Whether somebody else than the site watches over what waits on a connection. */
  readonly isWatchedElsewhere = (socket: Socket): boolean => this.#otherHosts.watches(socket)

  stop(): void {
    this.#answers = []
  }

  readonly serverFactory = (handler: FastifyServerFactoryHandler): Server => {
    // Fastify refuses what has no Host, as it refuses everything else.
    const { requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = this.#times
    const server = createServer({
      headersTimeout: requestTimeout,
      // Node's would be for the bodies of all hosts.
      requestTimeout: 0,
      keepAliveTimeout,
      connectionsCheckingInterval,
      requireHostHeader: false,
      shouldUpgradeCallback: this.#isUpgrade,
    })
    const bodies = new SlowBodies(server, {
      maxMs: requestTimeout,
      lookMs: connectionsCheckingInterval,
    })
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (!this.#isTaken(request.socket, response)) return
      if (this.#otherHosts.answer(request, response)) return
      bodies.watch(request)
      const goOrdinaryWay = () => {
        // Reset before it was read: nobody waits for an answer, and nobody can be counted.
        if (request.socket.remoteAddress !== undefined) handler(request, response)
      }
      const isAnswered =
        this.#mayAnswer() &&
        this.#answers.some((answer) => answer(request, response, goOrdinaryWay))
      if (isAnswered) return
      goOrdinaryWay()
    }
    server.on('request', take)
    // Nobody has to live up to what is expected; who expects it gets an answer all the same.
    server.on('checkExpectation', take)
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      // On another host it is for whoever answers there to say.
      if (!this.#otherHosts.takes(request)) response.writeContinue()
      take(request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (this.#otherHosts.takes(request)) this.#otherHosts.upgrade(request, socket, head)
      else this.#takeUpgrade(request, socket, head)
    })
    return server
  }

  /** A connection that owes an answer, or still brings a body, is none that can be handed over. */
  readonly #isUpgrade = (request: IncomingMessage): boolean => {
    if ((this.#unanswered.get(request.socket) ?? 0) > 0 || hasBody(request)) return false
    return this.#otherHosts.takes(request)
      ? this.#otherHosts.isUpgrade(request)
      : isUpgrade(request)
  }

  /** False where too many wait, which ends the connection. */
  #isTaken(socket: Socket, response: ServerResponse): boolean {
    // What else came with the one too many is still read.
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

/**
 * Node ends each request that came in the same packet with an error of its own, when the socket is closed.
 * A thousand stack traces that nobody reads took longer than all else about them.
 */
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
