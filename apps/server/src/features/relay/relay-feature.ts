import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import { siteAlone, type OtherHosts } from '../../http/host-first.ts'
import { hourlyLimit, limitCalls } from '../../http/rate-limits.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { createRelayAddress } from '../../relay-address.ts'
import { Topic } from '../../topic.ts'
import { accessRoutes, type AccessRoutesParts } from './access/access-routes.ts'
import type { GrantsStore } from './access/grants-store.ts'
import { createRelayAccess, type RelayAccessOptions } from './access/relay-access.ts'
import { sqlGrantsStore } from './access/sql-grants-store.ts'
import { Agents } from './agents/agents.ts'
import { agentsRoutes, type AgentsRoutesOptions } from './agents/agents-routes.ts'
import { ReachableAgents } from './agents/reachable-agents.ts'
import { certificatesRoutes, type ClaimCertificate } from './certificates-routes.ts'
import { hostStateRoutes } from './host-state/host-state-routes.ts'
import { ServiceHealth } from './host-state/service-health.ts'
import { Instances } from './instances/instances.ts'
import { postgresInstancesStore } from './instances/postgres-instances-store.ts'
import { RelayCounts, relayMetrics } from './relay-counts.ts'
import type { CarriedIsland, RelayedIslands } from './relayed-islands.ts'
import { portsFeature } from './tcp/ports-feature.ts'
import type { PortRights, PortsRoutesParts } from './tcp/ports-routes.ts'
import { createIslandPages } from './visitors/island-pages.ts'
import { Transfers } from './visitors/transfers.ts'
import { networkOf, visitorAddress } from './visitors/visitor-address.ts'
import { Visitors } from './visitors/visitors.ts'

/** The longest time between two heartbeats of a connected agent, however long a heartbeat lasts. */
const aliveMaxMs = 60_000
/** Our agent never dials that often. */
const connectionsPerMinute = 120
const checksPerHour = 60
/** For one user. Each page that is opened without a grant takes one. */
const ticketsPerHour = 600
const deleteTicketsMs = 10 * 60_000

interface RelayFeatureOptions {
  readonly config: Config
  readonly fonts: PageFonts
  readonly presence: {
    /** Resolves when the heartbeat is durable. */
    readonly heartbeat: (deviceKey: number) => Promise<void>
  }
  readonly devices: {
    readonly isTokenHeld: (caller: DeviceCaller) => boolean
    /** Calls the listener when tokens may have ended. */
    readonly onTokenEnd: (listener: () => void) => void
    readonly noteTokenUse: (tokenKey: number) => void
  }
  readonly islands: PortRights & {
    readonly relayed: RelayedIslands
    readonly ports: Pick<Parameters<typeof portsFeature>[1], 'onMembersChange'>
    readonly claimCertificate: ClaimCertificate
    readonly nameIsland: NameIsland
  }
  readonly accounts: Pick<RelayAccessOptions, 'findSessionHolder' | 'watchSessionOf'>
}

/** What a user may know about an island now; null if that is nothing. */
type NameIsland = (
  userKey: number,
  islandId: string,
) => Promise<{ readonly slug: string; readonly name: string } | null>

interface RelayRoutesParts
  extends Pick<AgentsRoutesOptions, 'serve' | 'upgrades'>, AccessRoutesParts, PortsRoutesParts {}

/** The relay, which carries visitors to islands at people's homes. */
export async function relayFeature(base: FeatureBase, options: RelayFeatureOptions) {
  const { storage, cluster, clock, log, schedule, metrics } = base
  const { config, presence, devices, accounts } = options
  const { relayed: islands, readRights, nameIsland, claimCertificate } = options.islands
  const { relayDomain, publicUrl, onlineWindowMs } = config
  const isRelayOn = relayDomain !== undefined
  const counts = new RelayCounts()
  const transfers = new Transfers({
    hostOf: (islandKey) => islands.find(islandKey)?.hostKey ?? undefined,
  })
  /** Connections to ports of other servers, which hand them on to this server's agents. */
  const handedOn = new Transfers()
  const health = new ServiceHealth(clock)
  const agentChanges = new Topic<[deviceKey: number]>()
  const connected: Agents = new Agents({
    islands,
    clock,
    isTokenHeld: devices.isTokenHeld,
    onAlive: ({ deviceKey, tokenKey }) => {
      devices.noteTokenUse(tokenKey)
      presence.heartbeat(deviceKey).catch((error: unknown) => {
        log.info({ err: error }, 'a heartbeat of a connected agent was not recorded')
      })
    },
    aliveMs: Math.min(aliveMaxMs, onlineWindowMs / 3),
    onOpen: (session) => {
      instances?.add(session)
      agentChanges.publish(session.identity.caller.deviceKey)
      agents.serveWaiters()
    },
    onClose: (session) => {
      instances?.delete(session)
      agentChanges.publish(session.identity.caller.deviceKey)
    },
  })
  const instances =
    storage.kind === 'postgres' && isRelayOn
      ? new Instances({
          store: postgresInstancesStore(storage),
          cluster,
          clock,
          log,
          schedule,
          islands,
          agents: connected,
          transfers,
          connections: handedOn,
          counts,
          onAgents: () => agents.serveWaiters(),
          onLeaseChange: agentChanges.publish,
          url: config.instanceUrl,
        })
      : undefined
  const agents: ReachableAgents = new ReachableAgents({
    here: connected,
    elsewhere: instances,
    clock,
  })
  const addressOf = visitorAddress(config.trustProxy)
  const store = sqlGrantsStore(storage.db)
  const pages = createIslandPages(options.fonts, config.siteName)
  const access = createRelayAccess({
    islands,
    readRights,
    findSessionHolder: accounts.findSessionHolder,
    watchSessionOf: accounts.watchSessionOf,
    pages,
    publicUrl,
    store,
    transfers,
    clock,
    networkOf: (request) => networkOf(addressOf(request)),
  })
  devices.onTokenEnd(() => connected.recheck())
  islands.onChange((islandKey) => {
    connected.recheck()
    access.recheck(islandKey)
    if (islands.find(islandKey) === undefined) health.forget(islandKey)
  })
  islands.onPeopleChange((islandKey) => access.recheck(islandKey))
  schedule.everyOnLeader(deleteTicketsMs, 'expired relay tickets were not deleted', () =>
    store.deleteExpiredTickets(clock()),
  )
  const { findVisible, hostOf } = options.islands
  const { onMembersChange } = options.islands.ports
  const rights = { findVisible, hostOf, readRights, onMembersChange }
  const ports = await portsFeature(base, { ...rights, config, islands, agents, counts })
  relayMetrics(metrics, counts, {
    agents: () => connected.count,
    transfers: () => transfers.count + handedOn.count + ports.count(),
    hops: () => instances?.hops.count ?? 0,
  })

  const visitors: OtherHosts = isRelayOn
    ? new Visitors({
        relayDomain,
        publicUrl,
        pages,
        access,
        agents,
        cluster,
        counts,
        health,
        addressOf,
        clock,
        log,
      })
    : siteAlone
  return {
    otherHosts: instances?.server.hosts(visitors) ?? visitors,
    ownData: enteredIslandsData(store, nameIsland),
    /** Which islands have an agent, wherever that is connected. */
    carriage: {
      isOn: isRelayOn,
      isCarried: (island: CarriedIsland) => agents.isThere(island),
      onChange: agentChanges.subscribe,
    },
    /** Resolves when other servers know of this one. Call it before listening to them. */
    join: async () => await instances?.join(),
    routes: async (app: FastifyInstance, parts: RelayRoutesParts) => {
      const { serve } = parts
      const limitConnections = limitCalls(
        new CallLimit({ maxCalls: connectionsPerMinute, windowMs: 60_000 }),
      )
      await agentsRoutes(app, { ...parts, isRelayOn, islands, agents: connected, limitConnections })
      await hostStateRoutes(app, {
        serve,
        clock,
        publicUrl,
        relayAddress: createRelayAddress(config),
        islands,
        agents,
        health,
        limitChecks: hourlyLimit(checksPerHour, cluster.size),
      })
      await accessRoutes(app, {
        ...parts,
        store,
        clock,
        limitTickets: hourlyLimit(ticketsPerHour, cluster.size),
        onAnswer: access.recheck,
      })
      await ports.routes(app, parts)
      await certificatesRoutes(app, { serve, config, islands, clock, claimCertificate })
    },
    /** Resolves when no agent is connected any more. */
    stop: async () => {
      // Connections to ports, such as games, do not end by themselves.
      ports.stop()
      agents.stop()
      await (instances ?? connected).stop()
      transfers.stop()
      handedOn.stop()
    },
  }
}

/** The relayed islands that a user entered, and whether they see the user's name. */
function enteredIslandsData(
  store: Pick<GrantsStore, 'listAnswers'>,
  nameIsland: NameIsland,
): OwnDataKind {
  return {
    kind: 'islandVisits',
    count: async (userKey) => (await store.listAnswers(userKey)).length,
    text: (count) => counted(count, 'island entered', 'islands entered'),
    read: async function* (userKey) {
      for (const { islandId, tellsName, answeredMs } of await store.listAnswers(userKey)) {
        yield JSON.stringify({
          island: await nameIsland(userKey, islandId),
          tellsName,
          answeredAt: new Date(answeredMs).toISOString(),
        })
      }
    },
  }
}
