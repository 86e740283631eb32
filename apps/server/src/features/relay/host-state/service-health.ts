import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingHttpHeaders } from 'node:http2'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import type { Clock } from '../../../clock.ts'
import { cancel } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { serviceFailure, stateOfFailure } from '../visitors/visitor-states.ts'

const dayMs = 86_400_000

interface Health {
  checkedMs: number
  failing: { readonly why: ServiceFailure; readonly sinceMs: number } | null
  visits: number
  countedMs: number
}

export class ServiceHealth {
  readonly #byIsland = new Map<number, Health>()
  readonly #clock: Clock
  readonly #startMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#startMs = clock()
  }

  recordAnswer(islandKey: number): void {
    const health = this.#take(islandKey)
    health.checkedMs = this.#clock()
    health.failing = null
  }

  recordFailure(islandKey: number, why: ServiceFailure): void {
    const health = this.#take(islandKey)
    health.checkedMs = this.#clock()
    if (health.failing?.why !== why) health.failing = { why, sinceMs: health.checkedMs }
  }

  countVisit(islandKey: number): void {
    this.#take(islandKey).visits += 1
  }

  failing(islandKey: number): Health['failing'] {
    return this.#byIsland.get(islandKey)?.failing ?? null
  }

  /** When a request last showed whether the service answers; -Infinity if none did. */
  checkedMs(islandKey: number): number {
    return this.#byIsland.get(islandKey)?.checkedMs ?? -Infinity
  }

  /** Counts since midnight UTC, or since this server started. */
  visits(islandKey: number): { readonly count: number; readonly sinceMs: number } {
    const sinceMs = this.#countedSinceMs()
    const health = this.#byIsland.get(islandKey)
    return { count: health?.countedMs === sinceMs ? health.visits : 0, sinceMs }
  }

  forget(islandKey: number): void {
    this.#byIsland.delete(islandKey)
  }

  #take(islandKey: number): Health {
    const countedMs = this.#countedSinceMs()
    let health = this.#byIsland.get(islandKey)
    if (health === undefined) {
      health = { checkedMs: -Infinity, failing: null, visits: 0, countedMs }
      this.#byIsland.set(islandKey, health)
    } else if (health.countedMs !== countedMs) {
      health.visits = 0
      health.countedMs = countedMs
    }
    return health
  }

  #countedSinceMs(): number {
    const nowMs = this.#clock()
    return Math.max(this.#startMs, nowMs - (nowMs % dayMs))
  }
}

const answerMs = 10_000

export type ServiceAnswer = 'answered' | ServiceFailure

/** Requests the first page at the address where visitors enter. Undefined if the agent went meanwhile. */
export async function askService(
  agent: Pick<ReachableAgent, 'request' | 'isOpen'>,
  address: string,
  timeoutMs = answerMs,
): Promise<ServiceAnswer | undefined> {
  const { protocol, host } = new URL(address)
  const headers = {
    ':method': 'HEAD',
    ':scheme': protocol.slice(0, -1),
    ':authority': host,
    ':path': '/',
    'user-agent': 'Astropelago-Relay-Check',
  }
  let stream
  try {
    stream = agent.request(headers, { endStream: true })
  } catch {
    return undefined
  }
  const answered = new Promise<ServiceAnswer | undefined>((resolve) => {
    stream
      .on('response', (head: IncomingHttpHeaders) => {
        const failure = stateOfFailure(head)
        resolve(failure === undefined ? 'answered' : serviceFailure(failure))
      })
      // `close` says what it was.
      .on('error', () => undefined)
      .on('close', () => resolve(agent.isOpen ? 'broken' : undefined))
    stream.resume()
  })
  const ended = new AbortController()
  const late = wait(timeoutMs, 'timeout' as const, { ref: false, signal: ended.signal })
  late.catch(() => undefined)
  const answer = await Promise.race([answered, late])
  ended.abort()
  cancel(stream)
  return answer
}
