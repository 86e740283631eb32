import type { FastifyInstance } from 'fastify'
import { addressSet } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { RelayBase } from '../relay-base.ts'
import { byLabel } from '../relay-counts.ts'
import { Transfers } from '../visitors/transfers.ts'
import { Admissions } from './admissions.ts'
import { HeldPorts } from './held-ports.ts'
import { PortListeners } from './port-listeners.ts'
import { portsRoutes, type PortsRoutesOptions } from './ports-routes.ts'
import { PortVisitors } from './port-visitors.ts'
import { sqlAdmissionsStore } from './sql-admissions-store.ts'
import { sqlPortsStore } from './sql-ports-store.ts'

const tidyMs = 60_000
/** By then another program may have freed a port, or the database may answer again. */
const retryMs = 1000
/** Keeps the time until a disabled user is cut off below a second. */
const inactiveMs = 400
const unread = 'could not read the port of an island'

interface PortsFeatureOptions extends Pick<PortsRoutesOptions, 'findUser'> {
  readonly allIslands: Pick<IslandsFeature, 'findVisible' | 'hostOf' | 'ports'>
  readonly agents: ReachableAgents
}

/** TCP ports of islands, for games and other programs that do not speak HTTP. */
export async function portsFeature(relay: RelayBase, options: PortsFeatureOptions) {
  const { storage, cluster, clock, schedule, metrics, log, config, islands } = relay
  const { relayPorts } = config
  const store = sqlPortsStore(storage)
  const admissionsStore = sqlAdmissionsStore(storage.db)
  const admissions = new Admissions({ ...relay, store: admissionsStore })
  const visitors = new PortVisitors({
    ...relay,
    agents: options.agents,
    admissions,
    activeOf: admissionsStore.activeOf,
    whenCurrent: () => cluster.whenCurrent(),
    // Its own, so that games and web pages do not take room from each other.
    transfers: new Transfers(),
    exempt: addressSet(config.limitExempt),
    onFailure: (error) => log.error({ err: error }, 'could not read who may connect to a port'),
  })
  const listeners = new PortListeners({
    host: relayPorts?.host,
    isShared: cluster.writer !== undefined,
    log,
    onConnection: (port, socket) => {
      const islandKey = held.islandAt(port)
      if (islandKey === undefined) socket.destroy()
      else visitors.take(islandKey, socket)
    },
  })
  /** False in an app that does not listen itself, such as the command line's. */
  let isListening = false
  const listen = async () => {
    if (isListening) await listeners.listenOn(held.all())
  }
  const held = new HeldPorts({
    store,
    range: relayPorts ?? { first: 0, last: -1 },
    onChange: () => void listen(),
  })
  const recheck = (islandKey: number) => {
    if (held.portOf(islandKey) === undefined) visitors.cutAll(islandKey)
    else visitors.recheck(islandKey)
  }
  const readAgain = async (islandKey: number) => {
    await held.readAgain(islandKey)
    recheck(islandKey)
  }

  if (relayPorts !== undefined) {
    await held.load()
    islands.onChange((islandKey) => {
      const isRelayed = islands.find(islandKey) !== undefined
      if (!isRelayed && held.portOf(islandKey) === undefined) return
      if (!isRelayed) held.forget(islandKey)
      recheck(islandKey)
      readAgain(islandKey).catch((error: unknown) => {
        // It stays queued.
        if (!(error instanceof StorageUnavailable)) log.error({ err: error }, unread)
      })
    })
    options.allIslands.ports.onMembersChange((islandKey) => visitors.recheck(islandKey))
    schedule.every(retryMs, unread, async () => {
      listeners.retry()
      await held.readFailed()
    })
    schedule.every(inactiveMs, 'could not read which accounts are disabled', async () => {
      try {
        await visitors.endInactive()
      } catch (error) {
        if (!(error instanceof StorageUnavailable)) throw error
      }
    })
  }
  // A server without ports still tidies up the ones it gave out earlier.
  schedule.everyOnLeader(tidyMs, 'unused ports and old admissions were not removed', async () => {
    await store.freeUnused(clock())
    await admissions.deleteExpired()
  })
  metrics.gauge({
    name: 'astropelago_relay_ports',
    help: 'Ports of islands that this server listens on, and those that it could not',
    labels: ['state'],
    read: () =>
      byLabel('state', {
        listening: listeners.count('listening'),
        blocked: listeners.count('blocked'),
      }),
  })

  return {
    count: () => visitors.count,
    routes: async (app: FastifyInstance, serve: Serve) => {
      app.addHook('onListen', async () => {
        isListening = true
        await listen()
      })
      await portsRoutes(app, {
        ...relay,
        ...options,
        serve,
        store,
        admissions,
        held,
        listeners,
        onChange: async (islandKey) => {
          await readAgain(islandKey)
          await listen()
        },
      })
    },
    stop: () => {
      listeners.stop()
      visitors.stop()
    },
  }
}
