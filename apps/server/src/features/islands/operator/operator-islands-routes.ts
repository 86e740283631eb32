import { islandsPerUser } from '@astropelago/contract/limits'
import {
  handOverIsland,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { isoTime } from '../../../iso-time.ts'
import { cutPage } from '../../../page-position.ts'
import { readOpenness } from '../island-openness.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { FoundIsland, OperatorOrder } from '../islands-store.ts'
import { addressOf, presentOrders } from '../present-island.ts'
import type { OperatorIslandsStore } from './operator-islands-store.ts'

export async function operatorIslandsRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly operatorIslands: OperatorIslandsStore },
) {
  const { serve, clock, islands, operatorIslands, presence, relayAddress, findUserKey } = context
  const present = async ({
    island,
    memberCount,
  }: Pick<FoundIsland, 'island' | 'memberCount'>): Promise<OperatorIsland> => {
    const { id, slug, name, access, isListed, isRelayed, isHosted } = island
    const { relayStop, publishedMs } = island
    const { isOpen, pause } = await readOpenness(island, presence)
    const isStopped = relayStop !== null && !relayStop.ofHost
    return {
      id,
      slug,
      name,
      access,
      isListed,
      isOpen,
      pause,
      host: island.hostUsername,
      address: addressOf(island, relayAddress),
      isRelayed,
      isHosted,
      relayStopped: isStopped ? { at: isoTime(relayStop.atMs), reason: relayStop.reason } : null,
      memberCount,
      createdAt: isoTime(island.createdMs),
      publishedAt: isoTime(publishedMs),
      hidden: presentOrders(island).hidden,
    }
  }

  const read = async (id: string) => {
    const found = await islands.findById(null, id)
    if (found === undefined) throw new DomainError('not_found')
    return await present(found)
  }

  serve(app, listAllIslands, async ({ query: { limit, ...query } }) => {
    const found = await operatorIslands.list({ ...query, limit: limit + 1 })
    const { shown, last } = cutPage(found, limit)
    const body = { islands: await Promise.all(shown.map(present)), hasMore: last !== undefined }
    return { status: 200, body }
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
      return { status: 200, body: await read(id) }
    },
    {
      audit: ({ params: { id }, body: { host } }) => ({
        action: 'island.handed-over',
        subject: `island:${id}`,
        details: { host },
      }),
    },
  )

  const setRelayStopped = async (id: string, stopped: OperatorOrder | null) => {
    const isFound = await operatorIslands.setRelayStopped(id, stopped)
    if (!isFound) throw new DomainError('not_found')
    return { status: 200, body: await read(id) } as const
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
