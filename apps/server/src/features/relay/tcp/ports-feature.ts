import { byLabel } from '../../../metrics.ts'
import { portPauseHours } from '@astropelago/contract/limits'
import {
  getIslandPort,
  giveBackIslandPort,
  takeIslandPort,
  type IslandPort,
} from '@astropelago/contract/relay-ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLocalName } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { addressSet, hourlyLimit } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { RelayBase } from '../relay-base.ts'

import { isLetIn } from '../served-islands.ts'
import { Transfers } from '../visitors/transfers.ts'
import { createAdmissions, type Admissions } from './admissions.ts'
import { createHeldPorts, type HeldPorts } from './held-ports.ts'
import { createPortListeners, type PortListeners } from './port-listeners.ts'
import type { PortsStore } from './ports-store.ts'
import { createPortVisitors } from './port-visitors.ts'
import { sqlAdmissionsStore } from './sql-admissions-store.ts'
import { sqlPortsStore } from './sql-ports-store.ts'

const pauseMs = portPauseHours * 3_600_000
const changesPerHour = 60
const tidyMs = 60_000
/** By then another program may have freed a port, or the database may answer again. */
const retryMs = 1000
/** Keeps the time until a disabled user is cut off below a second. */
const inactiveMs = 400
const unread = 'could not read the port of an island'

/** TCP ports of islands, for games and other programs that do not speak HTTP. */
export async function portsFeature(
  relay: RelayBase,
  options: {
    readonly findUser: AccountsFeature['findUser']
    readonly allIslands: Pick<IslandsFeature, 'findVisible' | 'hostOf' | 'ports'>
    readonly agents: ReachableAgents
  },
) {
  const { storage, cluster, clock, schedule, metrics, log, config, islands } = relay
  const { relayPorts } = config
  const store = sqlPortsStore(storage)
  const admissionsStore = sqlAdmissionsStore(storage.db)
  const admissions = createAdmissions({ ...relay, store: admissionsStore })
  const visitors = createPortVisitors({
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
  const listeners = createPortListeners({
    host: relayPorts?.host,
    isShared: cluster.writer !== undefined,
    log,
    onConnection: (port, socket) => {
      const islandKey = held.islandAt(port)
      if (islandKey === undefined) socket.destroy()
      else visitors.take(islandKey, socket)
    },
  })
  let isListening = false
  const listen = async () => {
    if (isListening) await listeners.listenOn(held.all())
  }
  const held = createHeldPorts({
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
      const isRelayed = islands.find(islandKey)?.isRelayed === true
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
    count: visitors.count,
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

async function portsRoutes(
  app: FastifyInstance,
  options: RelayBase & {
    readonly serve: Serve
    readonly findUser: AccountsFeature['findUser']
    readonly allIslands: Pick<IslandsFeature, 'findVisible' | 'hostOf'>
    readonly store: PortsStore
    readonly admissions: Admissions
    readonly held: HeldPorts
    readonly listeners: PortListeners
    readonly onChange: (islandKey: number) => Promise<void>
  },
) {
  const { serve, findUser, config, clock, cluster, islands, readRights, store } = options
  const { admissions, held, listeners, onChange } = options
  const { findVisible, hostOf } = options.allIslands
  const { relayDomain = 'localhost', relayPorts: range } = config
  const limitChanges = hourlyLimit(changesPerHour, cluster.size)

  const present = async (
    islandKey: number,
    user: UserCaller | undefined,
    ip: string,
  ): Promise<IslandPort> => {
    const island = islands.find(islandKey)
    const port = island && held.portOf(islandKey)
    const isHost = user !== undefined && hostOf(islandKey) === user.userKey
    const needsLetIn = port !== undefined && island?.mayAnybodyEnter === false
    return {
      address: island && port !== undefined ? addressOf(island.slug, port) : null,
      letIn: needsLetIn && user ? await admissions.letIn(islandKey, user.userKey, ip) : null,
      own: isHost
        ? {
            isOffered: range !== undefined && island !== undefined,
            isListening: port !== undefined && listeners.isListening(port),
          }
        : null,
    }
  }
  // Unlike browsers, few programs resolve names below localhost.
  const addressOf = (slug: string, port: number) =>
    isLocalName(relayDomain) ? `localhost:${port}` : `${slug}.${relayDomain}:${port}`

  serve(app, getIslandPort, async ({ params, request }) => {
    const user = await findUser(request)
    const viewerKey = user?.userKey ?? null
    const { islandKey } = await findVisible(viewerKey, params.id)
    const rightsOf = await readRights(islandKey, viewerKey === null ? [] : [viewerKey])
    const rights = rightsOf(viewerKey)
    if (!rights.mayEnter) throw new DomainError('not_found')
    const island = islands.find(islandKey)
    // Users who are not let in now do not get the address.
    if (island !== undefined && !isLetIn(island, rights)) {
      return { status: 200, body: { address: null, letIn: null, own: null } }
    }
    return { status: 200, body: await present(islandKey, user, request.ip) }
  })

  serve(app, takeIslandPort, async ({ user, params, request }) => {
    limitChanges(user.userKey)
    if (range === undefined) {
      // Ownership comes first: for everybody else the island does not exist.
      const { islandKey } = await findVisible(user.userKey, params.id)
      if (hostOf(islandKey) !== user.userKey) throw new DomainError('not_found')
      throw new DomainError('ports_off')
    }
    const atMs = clock()
    const wish = { userKey: user.userKey, islandId: params.id, range, atMs }
    const taken = await store.take({ ...wish, freedUntilMs: atMs - pauseMs })
    if (taken === 'no-island') throw new DomainError('not_found')
    if (taken === 'not-relayed') throw new DomainError('not_relayed')
    if (taken === 'none-free') throw new DomainError('no_free_port')
    const { islandKey, port } = taken
    await onChange(islandKey)
    logEvent(request, user, 'island_port_taken', params.id, port)
    return { status: 200, body: await present(islandKey, user, request.ip) }
  })

  serve(app, giveBackIslandPort, async ({ user, params, request }) => {
    limitChanges(user.userKey)
    const given = await store.giveBack(user.userKey, params.id, clock())
    if (given === undefined) throw new DomainError('not_found')
    if (given.hadPort) {
      const port = held.portOf(given.islandKey)
      await onChange(given.islandKey)
      logEvent(request, user, 'island_port_given_back', params.id, port)
    }
    return { status: 204 }
  })
}

function logEvent(
  request: FastifyRequest,
  { userKey }: UserCaller,
  event: 'island_port_taken' | 'island_port_given_back',
  island: string,
  port: number | undefined,
): void {
  request.log.info({ event, userKey, island, port, address: request.ip }, 'relay event')
}
