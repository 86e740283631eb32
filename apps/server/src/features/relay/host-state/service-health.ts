import { dayMs } from '../../../history/time-spans.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingHttpHeaders } from 'node:http2'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import type { Clock } from '../../../clock.ts'
import { cancel } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { serviceFailure, stateOfFailure } from '../visitors/visitor-states.ts'

interface Health {
  checkedMs: number
  failing: { readonly why: ServiceFailure; readonly sinceMs: number } | null
  visits: number
  countedMs: number
}

export type ServiceHealth = ReturnType<typeof createServiceHealth>

export function createServiceHealth(clock: Clock) {
  const byIsland = new Map<number, Health>()
  const startMs = clock()

  const countedSinceMs = () => {
    const nowMs = clock()
    return Math.max(startMs, nowMs - (nowMs % dayMs))
  }
  const take = (islandKey: number): Health => {
    const countedMs = countedSinceMs()
    let health = byIsland.get(islandKey)
    if (health === undefined) {
      health = { checkedMs: -Infinity, failing: null, visits: 0, countedMs }
      byIsland.set(islandKey, health)
    } else if (health.countedMs !== countedMs) {
      health.visits = 0
      health.countedMs = countedMs
    }
    return health
  }

  return {
    recordAnswer: (islandKey: number): void => {
      const health = take(islandKey)
      health.checkedMs = clock()
      health.failing = null
    },
    recordFailure: (islandKey: number, why: ServiceFailure): void => {
      const health = take(islandKey)
      health.checkedMs = clock()
      if (health.failing?.why !== why) health.failing = { why, sinceMs: health.checkedMs }
    },
    countVisit: (islandKey: number): void => {
      take(islandKey).visits += 1
    },
    failing: (islandKey: number) => byIsland.get(islandKey)?.failing ?? null,
    /** When a request last showed whether the service answers; -Infinity if none did. */
    checkedMs: (islandKey: number): number => byIsland.get(islandKey)?.checkedMs ?? -Infinity,
    /** Counts since midnight UTC, or since this server started. */
    visits: (islandKey: number) => {
      const sinceMs = countedSinceMs()
      const health = byIsland.get(islandKey)
      return { count: health?.countedMs === sinceMs ? health.visits : 0, sinceMs }
    },
    forget: (islandKey: number): void => void byIsland.delete(islandKey),
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
