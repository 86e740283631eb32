import { islandsPerUser } from '@astropelago/contract/limits'
import {
  handOverIsland,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { RelayAddress } from '../../../relay-address.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { readOpenness, type CarrierPresence, type Openness } from '../island-openness.ts'
import { addressOf } from '../present-island.ts'
import type { OperatorIslandRecord, OperatorIslandsStore } from './operator-islands-store.ts'

export interface OperatorIslandsRoutesOptions {
  readonly serve: Serve
  readonly clock: Clock
  readonly operatorIslands: OperatorIslandsStore
  readonly presence: Pick<CarrierPresence, 'statusSince' | 'clock'>
  readonly relayAddress: RelayAddress
  /** By username; undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
}

export async function operatorIslandsRoutes(
  app: FastifyInstance,
  options: OperatorIslandsRoutesOptions,
) {
  const { serve, clock, operatorIslands, presence, relayAddress, findUserKey } = options
  const read = async (id: string): Promise<OperatorIslandRecord> => {
    const found = await operatorIslands.find(id)
    if (found === undefined) throw new DomainError('not_found')
    return found
  }
  const present = async ({ island, memberCount }: OperatorIslandRecord) => {
    const openness = await readOpenness(island, presence)
    return presentOperatorIsland({ island, memberCount }, { openness, relayAddress })
  }

  serve(app, listAllIslands, async ({ query: { limit, ...query } }) => {
    // One more than the page shows, to know whether there are more.
    const found = await operatorIslands.list({ ...query, limit: limit + 1 })
    const islands = await Promise.all(found.slice(0, limit).map(present))
    return { status: 200, body: { islands, hasMore: found.length > limit } }
  })

  serve(
    app,
    handOverIsland,
    async ({ params: { id }, body: { host } }) => {
      await read(id)
      const hostKey = host === null ? null : await findUserKey(host)
      if (hostKey === undefined) {
        throw new DomainError('invalid_input', {
          fields: { host: 'There is no user by that name.' },
        })
      }
      const outcome = await operatorIslands.handOver(id, hostKey, islandsPerUser)
      if (outcome === 'missing') throw new DomainError('not_found')
      if (outcome === 'limit_reached') throw new DomainError('island_limit')
      return { status: 200, body: await present(await read(id)) }
    },
    {
      audit: ({ params: { id }, body: { host } }) => ({
        action: 'island.handed-over',
        subject: `island:${id}`,
        details: { host },
      }),
    },
  )

  const setRelayStopped = async (
    id: string,
    stopped: { readonly atMs: number; readonly reason: string } | null,
  ) => {
    const islandKey = await operatorIslands.setRelayStopped(id, stopped)
    if (islandKey === undefined) throw new DomainError('not_found')
    return { status: 200, body: await present(await read(id)) } as const
  }

  serve(
    app,
    stopIslandRelay,
    ({ params: { id }, body: { reason } }) => setRelayStopped(id, { atMs: clock(), reason }),
    {
      audit: ({ params: { id }, body: { reason } }) => ({
        action: 'relay.stopped',
        subject: `island:${id}`,
        details: { reason },
      }),
    },
  )

  serve(app, startIslandRelay, ({ params: { id } }) => setRelayStopped(id, null), {
    audit: ({ params: { id } }) => ({ action: 'relay.started', subject: `island:${id}` }),
  })
}

function presentOperatorIsland(
  { island, memberCount }: OperatorIslandRecord,
  { openness, relayAddress }: { readonly openness: Openness; readonly relayAddress: RelayAddress },
): OperatorIsland {
  const { id, slug, name, access, isListed, isRelayed, relayStop, hostUsername } = island
  const { hiddenMs, hiddenReason } = island
  return {
    id,
    slug,
    name,
    access,
    isListed,
    isOpen: openness.isOpen,
    pause: openness.pause,
    host: hostUsername,
    address: addressOf(island, relayAddress),
    isRelayed,
    relayStopped:
      relayStop === null || relayStop.ofHost
        ? null
        : { at: toIso(relayStop.atMs), reason: relayStop.reason },
    memberCount,
    createdAt: toIso(island.createdMs),
    publishedAt: island.publishedMs === null ? null : toIso(island.publishedMs),
    hidden: hiddenMs === null ? null : { at: toIso(hiddenMs), reason: hiddenReason ?? '' },
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
