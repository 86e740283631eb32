/** Visitors who send requests without pause, and a service that counts them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { listen } from '../../apps/server/src/test/listen.ts'
import { waitUntil } from '../proxy-checks.ts'

/**
 * After this time a request counts as hanging. Without faults it takes far less. The relay notices a silent
 * connection within 15 s, and waits another 3 s.
 */
const hangsMs = 20_000
/** The longest pause in an answer, so that requests are at every stage when something fails. */
const answerMaxMs = 300
const refusals = new Set([502, 503, 504])
const body = randomBytes(100_000).toString('base64')
const pauseMs = 20
/** Answers between two faults: more than can be under way at once. */
export const answersBetween = 100
/** An agent retries after at most 30 s. On a busy machine, this many answers take a few seconds more. */
const backMs = 35_000

export interface CountingService {
  readonly url: string
  /** How often each request arrived. */
  readonly seen: ReadonlyMap<string, number>
  readonly underWay: ReadonlySet<ServerResponse>
  readonly stop: () => void
}

/** Answers each request after a while with its own content, in two parts. */
export async function startCounting(): Promise<CountingService> {
  const seen = new Map<string, number>()
  const underWay = new Set<ServerResponse>()
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    const id = asked.url ?? ''
    seen.set(id, (seen.get(id) ?? 0) + 1)
    const said = await text(asked)
    await wait(Math.random() * answerMaxMs)
    response.write(id)
    await wait(Math.random() * answerMaxMs)
    response.end(said)
  }
  const server = createServer((asked, response) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    // A request that is cut never ends.
    answer(asked, response).catch(() => undefined)
  })
  return {
    url: await listen(server),
    seen,
    underWay,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Outcome =
  /** The service's complete answer. */
  | 'answered'
  /** The relay's own answer: there is no agent, or its connection broke. */
  | 'refused'
  /** The connection ended before the answer did, or there was no answer. */
  | 'cut'
  | 'hung'
  /** Anything else, which must not happen. */
  | 'wrong'

export class Visitors {
  readonly #outcomes: Record<Outcome, number> = {
    answered: 0,
    refused: 0,
    cut: 0,
    hung: 0,
    wrong: 0,
  }
  readonly #port: number
  readonly #host: string
  readonly #loops: Promise<void>[]
  #asked = 0
  #isOver = false

  constructor(port: number, host: string, visitors: number) {
    this.#port = port
    this.#host = host
    this.#loops = Array.from({ length: visitors }, () => this.#stay())
  }

  /**
   * Resolves when `answersBetween` more requests have been answered.
   * @returns how long that took
   */
  async whenAnswered(what: string): Promise<number> {
    const startMs = performance.now()
    const before = this.#outcomes.answered
    await waitUntil(async () => this.#outcomes.answered >= before + answersBetween, what, backMs)
    return performance.now() - startMs
  }

  /** Resolves when the relay has refused another request. */
  async whenRefused(what: string): Promise<void> {
    const before = this.#outcomes.refused
    await waitUntil(async () => this.#outcomes.refused > before, what)
  }

  async leave(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#loops)
  }

  /** Checks that each request was answered at most once, and that none is left anywhere. */
  async judge({ seen, underWay }: CountingService): Promise<void> {
    const { answered, refused, cut, hung, wrong } = this.#outcomes
    assert.deepEqual({ hung, wrong }, { hung: 0, wrong: 0 })
    const twice = [...seen].filter(([, times]) => times > 1)
    assert.deepEqual(twice, [], 'requests came twice')
    await waitUntil(async () => underWay.size === 0, 'nothing is left at the service')
    console.log(
      `  of ${this.#asked} requests ${answered} were answered, ${refused} refused and ${cut} cut: none twice, none hanging`,
    )
  }

  async #stay(): Promise<void> {
    while (!this.#isOver) {
      this.#asked += 1
      const isPost = this.#asked % 2 === 0
      const outcome = await this.#ask(`/${this.#asked}`, isPost)
      this.#outcomes[outcome] += 1
      if (outcome !== 'answered') await wait(pauseMs)
    }
  }

  async #ask(path: string, isPost: boolean): Promise<Outcome> {
    const asked = request({
      host: '127.0.0.1',
      port: this.#port,
      agent: false,
      method: isPost ? 'POST' : 'GET',
      path,
      headers: { host: this.#host },
    })
    let hasHung = false
    const timer = setTimeout(() => {
      hasHung = true
      asked.destroy()
    }, hangsMs)
    asked.on('error', () => undefined)
    asked.end(isPost ? body : undefined)
    try {
      const [answer]: IncomingMessage[] = await once(asked, 'response')
      assert.ok(answer !== undefined)
      const said = await text(answer)
      if (answer.statusCode === 200) {
        return said === (isPost ? path + body : path) ? 'answered' : 'wrong'
      }
      return refusals.has(answer.statusCode ?? 0) ? 'refused' : 'wrong'
    } catch {
      return hasHung ? 'hung' : 'cut'
    } finally {
      clearTimeout(timer)
    }
  }
}
