import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { liveFeed } from '@astropelago/contract/feed'
import type { FastifyServerFactoryHandler } from 'fastify'

/**
 * Whether a request becomes a WebSocket. Of all others the header `Upgrade` is ignored, as HTTP lets a
 * server do: curl offers HTTP/2 by it, and still wants its answer.
 */
function isWebSocket({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === liveFeed.method &&
    url.split('?', 1)[0] === liveFeed.path &&
    headers.upgrade?.toLowerCase() === 'websocket'
  )
}

/** Answers a request and says so, or leaves it alone: then it goes the ordinary way. */
export type AnswerEarly = (
  request: IncomingMessage,
  response: ServerResponse,
  goOrdinaryWay: () => void,
) => boolean

interface ServerTimes {
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  /** How often it is looked for requests that are too slow. */
  readonly connectionsCheckingInterval: number
}

/**
 * The HTTP server below Fastify. Calls that come by the ten thousand may be answered here, before
 * hooks and routing; Fastify answers the same call with the same answer, only slower.
 */
export class EarlyAnswers {
  readonly #times: ServerTimes
  #answers: readonly AnswerEarly[] = []
  #mayAnswer: () => boolean = () => false

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

  stop(): void {
    this.#answers = []
  }

  readonly serverFactory = (handler: FastifyServerFactoryHandler): Server =>
    createServer({ ...this.#times, shouldUpgradeCallback: isWebSocket }, (request, response) => {
      const goOrdinaryWay = () => {
        // Reset before it was read: nobody waits for an answer, and nobody can be counted.
        if (request.socket.remoteAddress !== undefined) handler(request, response)
      }
      const isAnswered =
        this.#mayAnswer() &&
        this.#answers.some((answer) => answer(request, response, goOrdinaryWay))
      if (isAnswered) return
      goOrdinaryWay()
    })
}
