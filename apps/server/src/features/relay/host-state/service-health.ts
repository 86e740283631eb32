import { dayMs } from '../../../history/time-spans.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import type { Clock } from '../../../clock.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { requestService } from '../agents/service-request.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { serviceFailure, stateOfReset } from '../visitors/visitor-states.ts'

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
  agent: Pick<ReachableAgent, 'open' | 'isOpen' | 'withService'>,
  address: string,
  timeoutMs = answerMs,
): Promise<ServiceAnswer | undefined> {
  const { host } = new URL(address)
  let stream: FrameStream
  try {
    stream = agent.open('http')
  } catch {
    return undefined
  }
  const answered = new Promise<ServiceAnswer | undefined>((resolve) => {
    stream.once('close', () => {
      const failure = stateOfReset(stream.resetWord)
      if (failure !== undefined) resolve(serviceFailure(failure))
      else resolve(agent.isOpen ? 'broken' : undefined)
    })
    agent.withService(stream, (service) => {
      const headers = ['host', service.host ?? host, 'user-agent', 'Astropelago-Relay-Check']
      requestService(stream, { method: 'HEAD', path: '/', headers, kept: undefined })
        .on('error', () => undefined)
        .once('response', () => resolve('answered'))
        .end()
    })
  })
  const ended = new AbortController()
  const late = wait(timeoutMs, 'timeout' as const, { ref: false, signal: ended.signal })
  late.catch(() => undefined)
  const answer = await Promise.race([answered, late])
  ended.abort()
  stream.destroy()
  return answer
}
