import { isoTime } from '../../iso-time.ts'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Config } from '../../config.ts'
import type { InstanceNotices } from '../../cluster/instance-notices.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { DeviceCaller } from '../../http/callers.ts'
import type { PageFonts } from '../../http/drawn-pages.ts'
import { siteAlone, type OtherHosts } from '../../http/early-answers.ts'
import type { ProtocolUpgrades } from '../../http/protocol-upgrades.ts'
import type { Serve } from '../../http/serve-route.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import { Topic } from '../../topic.ts'
import type { AccountsFeature } from '../accounts/public.ts'
import type { AlertsFeature } from '../alerts/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { HostedPagesFeature } from '../hosted-pages/public.ts'
import type { IslandRuntimeFeature } from '../island-runtime/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence } from '../presence/public.ts'
import { accessRoutes } from './access/access-routes.ts'
import type { GrantsStore } from './access/grants-store.ts'
import { createRelayAccess } from './access/relay-access.ts'
import { sqlGrantsStore } from './access/sql-grants-store.ts'
import { createAgents, type Agents } from './agents/agents.ts'
import { agentsRoutes } from './agents/agents-routes.ts'
import { ReachableAgents } from './agents/reachable-agents.ts'
import { certificatesRoutes } from './certificates-routes.ts'
import { domainsFeature } from './domains/domains-feature.ts'
import { hostStateRoutes } from './host-state/host-state-routes.ts'
import { createServiceHealth } from './host-state/service-health.ts'
import { createRelayInstances } from './instances/relay-instances.ts'
import { postgresInstancesStore } from './instances/postgres-instances-store.ts'
import { lendersOfAll } from './lending/lenders-of-all.ts'
import { createLenders } from './lending/lenders.ts'
import type { RelayBase } from './relay-base.ts'
import { RelayCounts, relayMetrics } from './relay-counts.ts'
import type { CarriedIsland } from './served-islands.ts'
import { portsFeature } from './tcp/ports-feature.ts'
import { createVisitorPages } from './visitors/visitor-pages.ts'
import { Transfers } from './visitors/transfers.ts'
import { networkOf, visitorAddress } from './visitors/visitor-address.ts'
import { createVisitors } from './visitors/visitors.ts'

/** The longest time between two heartbeats of a connected agent, however long a heartbeat lasts. */
const aliveMaxMs = 60_000
const deleteTicketsMs = 10 * 60_000

export async function relayFeature(
  base: FeatureBase,
  {
    config,
    fonts,
    presence,
    devices,
    islands: allIslands,
    accounts,
    hostedPages,
    islandRuntime,
    notices,
    sendAlert,
  }: {
    readonly config: Config
    readonly fonts: PageFonts
    readonly presence: Pick<Presence, 'heartbeat'>
    readonly devices: Pick<DevicesFeature, 'isTokenHeld' | 'onTokenEnd' | 'recordTokenUse'>
    readonly islands: IslandsFeature
    readonly accounts: AccountsFeature
    readonly hostedPages: HostedPagesFeature
    readonly islandRuntime: Pick<IslandRuntimeFeature, 'sockets' | 'files'>
    readonly notices: InstanceNotices
    readonly sendAlert: AlertsFeature['send']
  },
) {
  const { storage, clock, log, schedule } = base
  const { relayDomain } = config
  const isOn = relayDomain !== undefined
  const islands = allIslands.served
  const addressOf = visitorAddress(config.trustProxy)
  const relay: RelayBase = {
    ...base,
    config,
    islands,
    readRights: allIslands.readRights,
    counts: new RelayCounts(),
    pages: createVisitorPages(fonts, config.siteName),
    transfers: new Transfers({
      hostOf: (islandKey) => islands.find(islandKey)?.hostKey ?? undefined,
    }),
    addressOf,
    networkOf: (request: IncomingMessage) => networkOf(addressOf(request)),
  }
  /** Connections to ports of other servers, which hand them on to this server's agents. */
  const handedOn = new Transfers()
  const health = createServiceHealth(clock)
  const agentChanges = new Topic<[deviceKey: number]>()
  const alive = {
    isTokenHeld: devices.isTokenHeld,
    onAlive: ({ deviceKey, tokenKey }: DeviceCaller) => {
      devices.recordTokenUse(tokenKey)
      presence.heartbeat(deviceKey).catch((error: unknown) => {
        log.info({ err: error }, 'a heartbeat of a connected agent was not recorded')
      })
    },
    aliveMs: Math.min(aliveMaxMs, config.onlineWindowMs / 3),
  }
  const lenders = createLenders(alive)
  const allLenders = lendersOfAll({
    lenders,
    notices,
    hopTo: (writer) => instances?.hops.to(writer),
  })
  const connected: Agents = createAgents({
    ...alive,
    islands,
    clock,
    onOpen: (session) => {
      instances?.own.add(session)
      agentChanges.publish(session.identity.caller.deviceKey)
      agents.serveWaiters()
    },
    onClose: (session) => {
      instances?.own.delete(session)
      agentChanges.publish(session.identity.caller.deviceKey)
    },
  })
  const instances =
    storage.kind === 'postgres' && isOn
      ? createRelayInstances({
          ...relay,
          store: postgresInstancesStore(storage),
          agents: connected,
          connections: handedOn,
          notices,
          answerLook: allLenders.answer,
          onAgents: () => agents.serveWaiters(),
          onLeaseChange: agentChanges.publish,
        })
      : undefined
  const agents: ReachableAgents = new ReachableAgents(connected, instances, clock)
  const store = sqlGrantsStore(storage)
  const access = createRelayAccess({ ...relay, store, accounts })
  const recheck = (islandKey: number, userKey?: number) => {
    access.recheck(islandKey, userKey)
    islandRuntime.sockets.recheck(islandKey, userKey)
  }
  devices.onTokenEnd(() => {
    connected.recheck()
    lenders.recheck()
  })
  islands.onChange((islandKey) => {
    connected.recheck()
    recheck(islandKey)
    if (islands.find(islandKey) === undefined) health.forget(islandKey)
  })
  islands.onPeopleChange((islandKey) => recheck(islandKey))
  // What an island learns of a user may change.
  base.changes.subscribe('relay-answers', ({ keys, details }) => {
    for (const islandKey of keys) recheck(islandKey, v.parse(v.number(), details))
  })
  schedule.everyOnLeader(deleteTicketsMs, 'expired relay tickets were not deleted', () =>
    store.deleteExpiredTickets(clock()),
  )
  const { nameIsland } = allIslands
  const domains = domainsFeature(relay, { sendAlert, nameIsland })
  const ports = await portsFeature(relay, { agents, allIslands, findUser: accounts.findUser })
  relayMetrics(base.metrics, relay.counts, {
    agents: () => connected.count(),
    transfers: () => relay.transfers.count + handedOn.count + ports.count(),
    hops: () => instances?.hops.count ?? 0,
  })
  const visitors: OtherHosts = isOn
    ? createVisitors({ ...relay, relayDomain, access, agents, health, hostedPages, islandRuntime })
    : siteAlone

  return {
    otherHosts: instances?.server.hosts(visitors) ?? visitors,
    ownData: [enteredIslandsData(store, allIslands), domains.ownData],
    lenders: allLenders,
    carriage: {
      isOn,
      isCarried: (island: CarriedIsland) => agents.isThere(island),
      onChange: agentChanges.subscribe,
    },
    /** Resolves when other servers know of this one. Call it before listening to them. */
    join: async () => await instances?.join(),
    routes: async (
      app: FastifyInstance,
      parts: { readonly serve: Serve; readonly upgrades: ProtocolUpgrades },
    ) => {
      const { serve } = parts
      await agentsRoutes(app, { ...relay, ...parts, agents: connected, lenders })
      await hostStateRoutes(app, { ...relay, serve, agents, health })
      await accessRoutes(app, {
        ...relay,
        serve,
        store,
        allIslands,
        accounts,
      })
      await ports.routes(app, serve)
      await domains.routes(app, serve)
      await certificatesRoutes(app, {
        ...relay,
        serve,
        claimCertificate: allIslands.claimCertificate,
        claimDomainCertificate: domains.claimCertificate,
      })
    },
    stop: async () => {
      // Connections to ports, such as games, do not end by themselves.
      ports.stop()
      lenders.stop()
      islandRuntime.sockets.stop()
      agents.stop()
      await (instances ?? connected).stop()
      relay.transfers.stop()
      handedOn.stop()
    },
  }
}

function enteredIslandsData(
  store: Pick<GrantsStore, 'listAnswers'>,
  { nameIsland }: Pick<IslandsFeature, 'nameIsland'>,
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
          answeredAt: isoTime(answeredMs),
        })
      }
    },
  }
}
