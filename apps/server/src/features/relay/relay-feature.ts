import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { CallLimit } from '../../http/call-limit.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import { siteAlone, type OtherHosts } from '../../http/host-first.ts'
import { hourlyLimit, limitCalls } from '../../http/rate-limits.ts'
import { createRelayAddress } from '../../relay-address.ts'
import { Topic } from '../../topic.ts'
import { Agents } from './agents/agents.ts'
import { agentsRoutes, type AgentsRoutesOptions } from './agents/agents-routes.ts'
import { certificates, type ClaimCertificate } from './certificates/certificates.ts'
import { certificatesRoutes } from './certificates/certificates-routes.ts'
import { hostStateRoutes } from './host-state/host-state-routes.ts'
import { ServiceHealth } from './host-state/service-health.ts'
import { hostsWhenCurrent } from './instances/hosts-when-current.ts'
import { instancesMetrics } from './instances/instances-metrics.ts'
import { Instances } from './instances/instances.ts'
import { postgresInstancesStore } from './instances/postgres-instances-store.ts'
import { accessRoutes, type AccessRoutesParts } from './access/access-routes.ts'
import { ownAnswersData } from './access/own-answers-data.ts'
import { createRelayAccess, type WhoComes } from './access/relay-access.ts'
import { sqlGrantsStore } from './access/sql-grants-store.ts'
import { RelayCounts, relayMetrics } from './relay-counts.ts'
import type { CarriedIsland, RelayedIslands } from './relayed-islands.ts'
import { networkOf } from './tcp/admissions.ts'
import { portsFeature, type PortsFeatureOptions } from './tcp/ports-feature.ts'
import type { PortsRoutesParts } from './tcp/ports-routes.ts'
import { createIslandPages } from './visitors/island-pages.ts'
import { Transfers } from './visitors/transfers.ts'
import { visitorAddress } from './visitors/visitor-address.ts'
import { Visitors } from './visitors/visitors.ts'

/** The longest time between two heartbeats of a connected agent, however long a heartbeat lasts. */
const aliveMaxMs = 60_000
/** Our agent's own retry delays never exceed this. */
const connectionsPerMinute = 120
/** Checks from outside that one host may start in an hour. */
const checksPerHour = 60

/** For one user. Each page that is opened without a visit takes one. */
const ticketsPerHour = 600
const deleteTicketsMs = 10 * 60_000

interface RelayFeatureOptions {
  readonly config: Pick<
    Config,
    'relayDomain' | 'publicUrl' | 'siteName' | 'trustProxy' | 'onlineWindowMs' | 'instanceUrl'
  > &
    PortsFeatureOptions['config']
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
  readonly islands: Pick<PortsFeatureOptions, 'findVisible' | 'hostOf' | 'readRights'> & {
    readonly relayed: RelayedIslands
    readonly ports: Pick<PortsFeatureOptions, 'onMembersChange'>
    readonly claimCertificate: ClaimCertificate
    /** What a user may know about an island now; null if that is nothing. */
    readonly nameIsland: (
      userKey: number,
      islandId: string,
    ) => Promise<{ readonly slug: string; readonly name: string } | null>
  }
  readonly accounts: Pick<WhoComes, 'findSessionHolder' | 'watchSessionOf'>
}
interface RelayRoutesParts
  extends Pick<AgentsRoutesOptions, 'serve' | 'upgrades'>, AccessRoutesParts, PortsRoutesParts {}

/** The relay, which carries visitors to islands at people's homes. */
export async function relayFeature(base: FeatureBase, options: RelayFeatureOptions) {
  const { storage, cluster, clock, log, schedule, metrics } = base
  const { config, presence, devices, accounts } = options
  const { relayed: islands, readRights, nameIsland } = options.islands
  const { relayDomain, publicUrl, siteName, trustProxy, onlineWindowMs, instanceUrl } = config
  const counts = new RelayCounts()
  const transfers = new Transfers({
    hostOf: (islandKey) => islands.find(islandKey)?.hostKey ?? undefined,
  })
  /** Connections to ports of other servers, which hand them on to this server's agents. */
  const handedOn = new Transfers()
  const health = new ServiceHealth(clock)
  const carriage = new Topic<[deviceKey: number]>()
  const agents: Agents = new Agents({
    islands,
    clock,
    isTokenHeld: devices.isTokenHeld,
    noteAlive: ({ deviceKey, tokenKey }) => {
      devices.noteTokenUse(tokenKey)
      presence.heartbeat(deviceKey).catch((error: unknown) => {
        log.info({ err: error }, 'a heartbeat of a connected agent was not kept')
      })
    },
    aliveMs: Math.min(aliveMaxMs, onlineWindowMs / 3),
    onCome: (session) => {
      instances?.come(session)
      carriage.publish(session.identity.caller.deviceKey)
    },
    onGo: (session) => {
      instances?.go(session)
      carriage.publish(session.identity.caller.deviceKey)
    },
  })
  const instances =
    storage.kind === 'postgres' && relayDomain !== undefined
      ? new Instances({
          store: postgresInstancesStore(storage),
          cluster,
          clock,
          log,
          schedule,
          islands,
          agents,
          transfers,
          connections: handedOn,
          onLeaseChange: carriage.publish,
          url: instanceUrl,
        })
      : undefined
  instancesMetrics(metrics, instances)
  /** Whichever server they are connected to. */
  const allAgents = instances?.agents ?? agents
  const addressOf = visitorAddress(trustProxy)
  const store = sqlGrantsStore(storage.db)
  const pages = createIslandPages(options.fonts, siteName)
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
  devices.onTokenEnd(() => agents.lookAgain())
  islands.onChange((islandKey) => {
    agents.lookAgain()
    access.noteChange(islandKey)
    if (islands.find(islandKey) === undefined) health.forget(islandKey)
  })
  islands.onPeopleChange((islandKey) => access.noteChange(islandKey))
  schedule.everyOnLeader(deleteTicketsMs, 'expired relay tickets were not deleted', () =>
    store.deleteExpiredTickets(clock()),
  )
  const ports = await portsFeature(base, {
    findVisible: options.islands.findVisible,
    hostOf: options.islands.hostOf,
    readRights,
    ...options.islands.ports,
    config,
    islands,
    agents: allAgents,
    counts,
  })
  relayMetrics(metrics, counts, {
    agents: () => agents.count,
    transfers: () => transfers.count + handedOn.count + ports.count(),
  })

  const limitConnections = limitCalls(
    new CallLimit({ maxCalls: connectionsPerMinute, windowMs: 60_000 }),
  )
  const mayHaveCertificate = certificates({
    relayDomain,
    islands,
    clock,
    claim: options.islands.claimCertificate,
  })
  const islandHosts: OtherHosts =
    relayDomain === undefined
      ? siteAlone
      : new Visitors({
          relayDomain,
          publicUrl,
          pages,
          access,
          agents: allAgents,
          counts,
          health,
          addressOf,
          clock,
          log,
        })
  return {
    otherHosts: instances?.server.hosts(hostsWhenCurrent(islandHosts, cluster)) ?? islandHosts,
    ownData: ownAnswersData({ nameIsland, store }),
    /** Which islands have an agent, wherever that is connected. */
    carriage: {
      isOn: relayDomain !== undefined,
      isCarried: (island: CarriedIsland) => allAgents.isThere(island),
      onChange: carriage.subscribe,
    },
    /** Resolves when other servers know of this one. Call it before listening to them. */
    join: async () => await instances?.join(),
    routes: async (app: FastifyInstance, parts: RelayRoutesParts) => {
      const isRelayOn = relayDomain !== undefined
      await agentsRoutes(app, { ...parts, isRelayOn, islands, agents, limitConnections })
      await hostStateRoutes(app, {
        serve: parts.serve,
        clock,
        publicUrl,
        relayAddress: createRelayAddress(config),
        islands,
        agents: allAgents,
        health,
        limitChecks: hourlyLimit(checksPerHour, cluster.size),
      })
      await accessRoutes(app, {
        ...parts,
        store,
        clock,
        limitTickets: hourlyLimit(ticketsPerHour, cluster.size),
        noteAnswer: access.noteChange,
      })
      await ports.routes(app, parts)
      await certificatesRoutes(app, { serve: parts.serve, config, mayHaveCertificate })
    },
    /** Resolves when no agent is connected any more. */
    stop: async () => {
      // Connections to ports, such as games, do not end by themselves.
      ports.stop()
      await (instances ?? agents).stop()
      transfers.stop()
      handedOn.stop()
    },
  }
}
