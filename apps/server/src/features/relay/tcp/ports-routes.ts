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
import { hourlyLimit } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import type { RelayBase } from '../relay-base.ts'
import { isLetIn } from '../relayed-islands.ts'
import type { Admissions } from './admissions.ts'
import type { HeldPorts } from './held-ports.ts'
import type { PortListeners } from './port-listeners.ts'
import type { PortsStore } from './ports-store.ts'

const pauseMs = portPauseHours * 3_600_000
const changesPerHour = 60

export interface PortsRoutesOptions extends RelayBase {
  readonly serve: Serve
  readonly findUser: AccountsFeature['findUser']
  readonly allIslands: Pick<IslandsFeature, 'findVisible' | 'hostOf'>
  readonly store: PortsStore
  readonly admissions: Admissions
  readonly held: HeldPorts
  readonly listeners: PortListeners
  /** Resolves when this server has read the island's port again and listens on it. */
  readonly onChange: (islandKey: number) => Promise<void>
}

export async function portsRoutes(app: FastifyInstance, options: PortsRoutesOptions) {
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
    // Do not give the address to somebody who is not let in now.
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

/** For the operator's audit: keys and ids as in the database. */
function logEvent(
  request: FastifyRequest,
  { userKey }: UserCaller,
  event: 'island_port_taken' | 'island_port_given_back',
  island: string,
  port: number | undefined,
): void {
  request.log.info({ event, userKey, island, port, address: request.ip }, 'relay event')
}
