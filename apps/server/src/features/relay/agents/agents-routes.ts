import { setTimeout as wait } from 'node:timers/promises'
import {
  agentIdHeader,
  agentIslandHeader,
  agentServiceHeader,
  agentVersionHeader,
  connectRelay,
} from '@astropelago/contract/relay'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import type { ProtocolUpgrades } from '../../../http/protocol-upgrades.ts'
import { limitCalls } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { RelayBase } from '../relay-base.ts'
import type { RelayedIsland, RelayedIslands } from '../relayed-islands.ts'
import { openWire } from './agent-wire.ts'
import type { Agents } from './agents.ts'

/** For one token. Our agent never dials that often. */
const connectionsPerMinute = 120
/** An operator may have started the relay again by then. */
const stoppedRetryAfterS = 300
/** This server learns of changes within a second. A refusal ends the agent, so wait for them. */
const waitMs = 100
const waitsMax = 10

export async function agentsRoutes(
  app: FastifyInstance,
  {
    serve,
    upgrades,
    config,
    islands,
    agents,
  }: RelayBase & {
    readonly serve: Serve
    readonly upgrades: ProtocolUpgrades
    readonly agents: Agents
  },
) {
  const limitConnections = limitCalls(
    new CallLimit({ maxCalls: connectionsPerMinute, windowMs: 60_000 }),
  )

  // Without an upgrade, the agent's --check learns whether it would be accepted and for which islands.
  serve(app, connectRelay, async ({ device, request, reply }) => {
    if (config.relayDomain === undefined) throw new DomainError('relay_off')
    const named = headerOf(request, agentIslandHeader)
    const carried = await carriedIslands(islands, device.deviceKey, named)
    const slugs = carried.map(({ slug }) => slug)
    if (!upgrades.isOffered(request)) {
      reply.header(agentIslandHeader, slugs.join(', '))
      throw new DomainError('upgrade_required')
    }
    const agentId = headerOf(request, agentIdHeader)?.toLowerCase() ?? ''
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(agentId)) {
      throw new DomainError('invalid_input')
    }
    limitConnections(device.tokenKey)
    agents.checkRoom({ caller: device, agentId })
    const connection = upgrades.accept(request, reply)
    if (connection === undefined) throw new DomainError('upgrade_required')
    const version = headerOf(request, agentVersionHeader)?.slice(0, 32) ?? ''
    const { deviceKey } = device
    request.log.info({ event: 'agent_connected', deviceKey, agentId, version }, 'relay event')
    const islandKey = named === undefined ? null : (carried[0]?.key ?? null)
    openWire(request.raw, { ...connection, slugs }, (wire) =>
      agents.add(wire, { agentId, islandKey, caller: device, service: serviceOf(request) }),
    )
    return undefined
  })
}

/** Without stopped islands. @throws DomainError `no_relayed_island`, `relay_stopped` */
export async function carriedIslands(
  islands: Pick<RelayedIslands, 'carriedBy'>,
  deviceKey: number,
  slugOrId: string | undefined,
): Promise<readonly RelayedIsland[]> {
  const wanted = slugOrId?.toLowerCase()
  const find = () =>
    islands
      .carriedBy(deviceKey)
      .filter(({ slug, id }) => wanted === undefined || slug === wanted || id === wanted)
  let carried = find()
  for (let waits = 0; carried.length === 0 && waits < waitsMax; waits += 1) {
    await wait(waitMs)
    carried = find()
  }
  if (carried.length === 0) throw new DomainError('no_relayed_island')
  const running = carried.filter(({ isStopped }) => !isStopped)
  if (running.length > 0) return running
  throw new DomainError('relay_stopped', { retryAfterS: stoppedRetryAfterS })
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** The service as an origin; null if the agent reports none or something else. */
function serviceOf(request: FastifyRequest): string | null {
  const service = headerOf(request, agentServiceHeader)
  return service !== undefined && /^https?:\/\/[\w.:[\]-]{1,255}$/.test(service) ? service : null
}
