import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { lentLooksPerHourMax } from '@astropelago/contract/limits'
import {
  agentCheckHeader,
  agentHashHeader,
  agentHostHeader,
  agentIdHeader,
  agentIslandHeader,
  agentLendsHeader,
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
import type { ServedIsland, ServedIslands } from '../served-islands.ts'
import { openWire } from './agent-wire.ts'
import { readAgentFile } from '../agent-file.ts'
import { FrameSession } from '../frames/frame-session.ts'
import { agentPatience, type Service } from './agent-session.ts'
import type { Agents } from './agents.ts'
import type { Lenders } from '../lending/lenders.ts'

/** For one token. Our agent never dials that often. */
const connectionsPerMinute = 120
/** An operator may have started the relay again by then. */
const stoppedRetryAfterS = 300
/** This server learns of changes within a second. A refusal ends the agent, so wait for them. */
const waitMs = 100
const waitsMax = 10
const checkMs = 60_000

export async function agentsRoutes(
  app: FastifyInstance,
  {
    serve,
    upgrades,
    config,
    islands,
    agents,
    lenders,
    addressOf,
  }: RelayBase & {
    readonly serve: Serve
    readonly upgrades: ProtocolUpgrades
    readonly agents: Agents
    readonly lenders: Lenders
  },
) {
  const { sha256 } = await readAgentFile()
  const limitConnections = limitCalls(
    new CallLimit({ maxCalls: connectionsPerMinute, windowMs: 60_000 }),
  )

  const checks = createChecks()
  app.addHook('preClose', async () => checks.end())

  // Without an upgrade, the agent's --check learns whether it would be accepted and for which islands.
  serve(app, connectRelay, async ({ device, request, reply }) => {
    const perHour = lentPerHour(request)
    const isLending = perHour !== undefined
    if (config.relayDomain === undefined && !isLending) throw new DomainError('relay_off')
    const named = headerOf(request, agentIslandHeader)
    const carried = isLending ? [] : await carriedIslands(islands, device.deviceKey, named)
    const slugs = carried.map(({ slug }) => slug)
    if (!upgrades.isOffered(request)) {
      reply.headers({ [agentIslandHeader]: slugs.join(', '), [agentHashHeader]: sha256 })
      throw new DomainError('upgrade_required')
    }
    const agentId = headerOf(request, agentIdHeader)?.toLowerCase() ?? ''
    if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(agentId)) {
      throw new DomainError('invalid_input')
    }
    limitConnections(device.tokenKey)
    const agent = { caller: device, agentId }
    if (isLending) lenders.checkRoom(agent)
    else agents.checkRoom(agent)
    const connection = upgrades.accept(request, reply)
    if (connection === undefined) throw new DomainError('upgrade_required')
    const version = headerOf(request, agentVersionHeader)?.slice(0, 32) ?? ''
    const { deviceKey } = device
    request.log.info({ event: 'agent_connected', deviceKey, agentId, version }, 'relay event')
    const islandKey = named === undefined ? null : (carried[0]?.key ?? null)
    const isCheck = headerOf(request, agentCheckHeader) !== undefined
    const headers = [
      isLending ? `${agentLendsHeader}: ${perHour}` : `${agentIslandHeader}: ${slugs.join(', ')}`,
      `${agentHashHeader}: ${sha256}`,
    ]
    openWire(request.raw, { ...connection, headers }, (wire) => {
      if (isCheck) checks.hold(wire)
      else if (isLending) lenders.add(wire, { ...agent, perHour, address: addressOf(request.raw) })
      else agents.add(wire, { ...agent, islandKey, service: serviceOf(request) })
    })
    return undefined
  })
}

/** Without stopped islands. @throws DomainError `no_relayed_island`, `relay_stopped` */
export async function carriedIslands(
  islands: Pick<ServedIslands, 'carriedBy'>,
  deviceKey: number,
  slugOrId: string | undefined,
): Promise<readonly ServedIsland[]> {
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

/** [L1] How many looks an hour it lends; undefined if it carries islands. */
function lentPerHour(request: FastifyRequest): number | undefined {
  const text = headerOf(request, agentLendsHeader)
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new DomainError('invalid_input')
  return Math.min(Number(text), lentLooksPerHourMax)
}

/** What the agent says of its service, except what is no origin or no host. */
function serviceOf(request: FastifyRequest): Service {
  const origin = headerOf(request, agentServiceHeader) ?? ''
  const host = headerOf(request, agentHostHeader) ?? ''
  const isOrigin = /^https?:\/\/[\w.:[\]-]{1,255}$/.test(origin) && URL.canParse(origin)
  return {
    origin: isOrigin ? origin : null,
    host: /^[\w.:[\]-]{1,255}$/.test(host) ? host : null,
  }
}

/** An agent's `--check` watches how the way to this server treats such a connection. */
function createChecks() {
  const running = new Set<FrameSession>()
  return {
    hold: (wire: Duplex): void => {
      const session = new FrameSession(wire, {
        patience: agentPatience,
        onEnd: () => {
          clearTimeout(limit)
          running.delete(session)
        },
      })
      running.add(session)
      const limit = setTimeout(() => session.end(), checkMs)
    },
    end: (): void => {
      for (const session of running) session.end()
    },
  }
}
