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
import type { ProtocolUpgrades } from '../../../http/protocol-upgrades.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { RelayedIsland, RelayedIslands } from '../relayed-islands.ts'
import { openWire } from './agent-wire.ts'
import type { Agents } from './agents.ts'

/** An operator may have started the relay again by then. */
const stoppedRetryAfterS = 300
/** This server learns of changes within this time. A refusal ends the agent, so wait for them. */
const cachedWithinMs = 1000
const checkEveryMs = 100

export interface AgentsRoutesOptions {
  readonly serve: Serve
  readonly upgrades: Pick<ProtocolUpgrades, 'isOffered' | 'accept'>
  readonly isRelayOn: boolean
  readonly islands: Pick<RelayedIslands, 'carriedBy'>
  readonly agents: Pick<Agents, 'checkRoom' | 'add'>
  /** @throws DomainError `rate_limited` */
  readonly limitConnections: (tokenKey: number) => void
}

export async function agentsRoutes(app: FastifyInstance, options: AgentsRoutesOptions) {
  const { serve, upgrades, isRelayOn, islands, agents, limitConnections } = options

  // A request without an upgrade learns whether it would be accepted and for which islands. The agent's
  // --check uses that.
  serve(app, connectRelay, async ({ device, request, reply }) => {
    if (!isRelayOn) throw new DomainError('relay_off')
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

/**
 * The islands that an agent carries: the one that it names, or all of its device. Islands that an operator
 * has stopped are left out.
 * @throws DomainError `no_relayed_island`, `relay_stopped`
 */
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
  for (
    let waitedMs = 0;
    carried.length === 0 && waitedMs < cachedWithinMs;
    waitedMs += checkEveryMs
  ) {
    await wait(checkEveryMs)
    carried = find()
  }
  if (carried.length === 0) throw new DomainError('no_relayed_island')
  const running = carried.filter(({ isStopped }) => !isStopped)
  if (running.length === 0) {
    throw new DomainError('relay_stopped', { retryAfterS: stoppedRetryAfterS })
  }
  return running
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
