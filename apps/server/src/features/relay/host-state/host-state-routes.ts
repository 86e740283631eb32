import { isoTime } from '../../../iso-time.ts'
import {
  checkFromOutside,
  getRelay,
  getRelayedState,
  type OutsideCheck,
  type OutsideResult,
  type RelayedState,
} from '@astropelago/contract/island-relay'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { setTimeout as wait } from 'node:timers/promises'
import { atMostEntries } from '../../../cache-bound.ts'
import { DomainError } from '../../../domain-error.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { createRelayAddress } from '../../../relay-address.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { RelayBase } from '../relay-base.ts'
import type { ServedIsland } from '../served-islands.ts'
import { openFromOutside } from './open-from-outside.ts'
import { askService, type ServiceAnswer, type ServiceHealth } from './service-health.ts'

/** While its host watches, a service is asked again after this long without a sign of its health. */
const quietMs = 60_000
/** After a failure the service is asked more often, because its host is probably repairing it. */
const failingQuietMs = 3000
const patienceMs = 1000
/** Checks at one time, for all islands. Each may take 10 s. */
const checksMax = 16
const checksPerHour = 60
const maxCached = 10_000

export async function hostStateRoutes(
  app: FastifyInstance,
  {
    serve,
    clock,
    config,
    cluster,
    islands,
    agents,
    health,
  }: RelayBase & {
    readonly serve: Serve
    readonly agents: ReachableAgents
    readonly health: ServiceHealth
  },
) {
  const { publicUrl } = config
  const relayAddress = createRelayAddress(config)
  const limitChecks = hourlyLimit(checksPerHour, cluster.size)
  const asking = new Map<number, Promise<ServiceAnswer | undefined>>()
  const checks = new Map<number, Promise<OutsideResult>>()
  const checked = new LRUCache<number, OutsideCheck & { readonly address: string }>(
    atMostEntries(maxCached),
  )

  const findHosted = async (hostKey: number, id: string) => {
    const island = await islands.findHosted(hostKey, id)
    if (island?.isRelayed !== true) throw new DomainError('not_found')
    return island
  }

  const ask = (island: ServedIsland, address: string) => {
    const running = asking.get(island.key)
    const agent = agents.find(island)
    if (running !== undefined || agent === undefined) return running
    const answered = askService(agent, address)
      .then((answer) => {
        if (answer === 'answered') health.recordAnswer(island.key)
        else if (answer !== undefined) health.recordFailure(island.key, answer)
        return answer
      })
      .finally(() => asking.delete(island.key))
    asking.set(island.key, answered)
    return answered
  }

  const conditionOf = (island: ServedIsland): RelayedState['condition'] => {
    if (relayAddress(island.slug) === null) return { state: 'off' }
    if (island.isStopped) return { state: 'stopped' }
    const agent = agents.find(island)
    if (agent === undefined) {
      const { isOpen, sinceMs } = island.opening
      // During a pause, `sinceMs` is when the pause began, not when the agent went.
      const isByAgent = !isOpen && island.pause === null
      const goneMs = agents.goneSince(island) ?? (isByAgent ? sinceMs : null)
      return { state: 'gone', since: goneMs === null ? null : isoTime(goneMs) }
    }
    const failing = health.failing(island.key)
    if (failing === null) return { state: 'carried' }
    const service = agent.identity?.service.origin ?? null
    return { state: 'failing', why: failing.why, since: isoTime(failing.sinceMs), service }
  }

  serve(app, getRelay, async () => ({
    status: 200,
    body: { addresses: relayAddress('{slug}') },
  }))

  serve(app, getRelayedState, async ({ user, params }) => {
    const island = await findHosted(user.userKey, params.id)
    const { key } = island
    const address = relayAddress(island.slug)
    const silentMs = clock() - health.checkedMs(key)
    const isDue = silentMs >= (health.failing(key) === null ? quietMs : failingQuietMs)
    // Others who ask meanwhile get the state as it is, without waiting.
    if (address !== null && isDue && !asking.has(key) && !island.isStopped) {
      const patience = new AbortController()
      const late = wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)
      await Promise.race([ask(island, address), late])
      patience.abort()
    }
    const last = checked.get(key)
    const { count, sinceMs } = health.visits(key)
    return {
      status: 200,
      body: {
        condition: conditionOf(island),
        visits: { count, since: isoTime(sinceMs) },
        outside: last?.address === address ? { result: last.result, at: last.at } : null,
      },
    }
  })

  const openAsVisitor = async (island: ServedIsland, address: string): Promise<OutsideResult> => {
    const result = await openFromOutside({ address, publicUrl, slug: island.slug })
    if (result !== 'opened') return result
    const answer = await ask(island, address)
    if (answer === undefined) return 'no-agent'
    return answer === 'answered' ? 'opened' : answer
  }

  serve(app, checkFromOutside, async ({ user, params }) => {
    const island = await findHosted(user.userKey, params.id)
    const address = relayAddress(island.slug)
    if (address === null) throw new DomainError('relay_off')
    limitChecks(user.userKey)
    let check = checks.get(island.key)
    if (check === undefined) {
      if (checks.size >= checksMax) throw new DomainError('overloaded', { retryAfterS: 10 })
      check = openAsVisitor(island, address).finally(() => checks.delete(island.key))
      checks.set(island.key, check)
    }
    const outside = { result: await check, at: isoTime(clock()) }
    checked.set(island.key, { ...outside, address })
    return { status: 200, body: outside }
  })
}
