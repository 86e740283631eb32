import {
  getIslandPort,
  giveBackIslandPort,
  takeIslandPort,
  type IslandPort,
} from '@astropelago/contract/relay-ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { UserCaller } from '../../../http/callers.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { isLetIn, type RelayedIslands } from '../relayed-islands.ts'
import type { Admissions, ReadRights } from './admissions.ts'
import type { PortRange, PortsStore } from './ports-store.ts'

export interface PortsRoutesParts {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
}

export interface PortsRoutesOptions extends PortsRoutesParts {
  readonly store: Pick<PortsStore, 'take' | 'giveBack'>
  readonly clock: Clock
  /** Undefined if this server gives out no ports. */
  readonly range: PortRange | undefined
  readonly pauseMs: number
  readonly islands: Pick<RelayedIslands, 'find'>
  /** @throws DomainError `not_found` for a viewer who may not know of it */
  readonly findVisible: (
    viewerKey: number | null,
    id: string,
  ) => Promise<{ readonly islandKey: number }>
  readonly hostOf: (islandKey: number) => number | null
  readonly readRights: ReadRights
  readonly admissions: Pick<Admissions, 'letIn'>
  readonly portOf: (islandKey: number) => number | undefined
  readonly isListening: (port: number) => boolean
  /** The address that games connect to, host name and port. */
  readonly addressOf: (slug: string, port: number) => string
  /** Resolves when this server has read the island's port again and everybody is notified. */
  readonly noteChange: (islandKey: number) => Promise<void>
  /** @throws DomainError `rate_limited` */
  readonly limitChanges: (userKey: number) => void
}

export async function portsRoutes(app: FastifyInstance, options: PortsRoutesOptions) {
  const { serve, findUser, store, clock, range, pauseMs, islands, noteChange } = options
  const { findVisible, hostOf, readRights, admissions, portOf, isListening, limitChanges } = options

  const present = async (
    islandKey: number,
    user: Pick<UserCaller, 'userKey'> | undefined,
    ip: string,
  ): Promise<IslandPort> => {
    const island = islands.find(islandKey)
    const port = island && portOf(islandKey)
    const isHost = user !== undefined && hostOf(islandKey) === user.userKey
    const needsLetIn = port !== undefined && island?.mayAnybodyEnter === false
    return {
      address: island && port !== undefined ? options.addressOf(island.slug, port) : null,
      letIn: needsLetIn && user ? await admissions.letIn(islandKey, user.userKey, ip) : null,
      own: isHost
        ? {
            isOffered: range !== undefined && island !== undefined,
            isListening: port !== undefined && isListening(port),
          }
        : null,
    }
  }

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
    await noteChange(islandKey)
    logEvent(request, user, 'island_port_taken', params.id, port)
    return { status: 200, body: await present(islandKey, user, request.ip) }
  })

  serve(app, giveBackIslandPort, async ({ user, params, request }) => {
    limitChanges(user.userKey)
    const given = await store.giveBack(user.userKey, params.id, clock())
    if (given === undefined) throw new DomainError('not_found')
    if (given.hadPort) {
      const port = portOf(given.islandKey)
      await noteChange(given.islandKey)
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
