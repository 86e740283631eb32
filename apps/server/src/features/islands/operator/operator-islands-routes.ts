import { islandsPerUser } from '@astropelago/contract/limits'
import {
  handOverIsland,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { IslandChanges } from '../island-changes.ts'
import { readOpenness, type CarrierPresence } from '../island-openness.ts'
import type { OperatorIslandRecord, OperatorIslandsStore } from './operator-islands-store.ts'

export interface OperatorIslandsRoutesOptions {
  readonly serve: Serve
  readonly operatorIslands: OperatorIslandsStore
  readonly presence: Pick<CarrierPresence, 'statusSince'>
  readonly changes: Pick<IslandChanges, 'noteChange'>
  /** By username; undefined where there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
}

export async function operatorIslandsRoutes(
  app: FastifyInstance,
  { serve, operatorIslands, presence, changes, findUserKey }: OperatorIslandsRoutesOptions,
) {
  const read = async (id: string): Promise<OperatorIslandRecord> => {
    const found = await operatorIslands.find(id)
    if (found === undefined) throw new DomainError('not_found')
    return found
  }
  const present = async ({ island, memberCount }: OperatorIslandRecord) => {
    const { isOpen } = await readOpenness(island, presence)
    return presentOperatorIsland({ island, memberCount }, isOpen)
  }

  serve(app, listAllIslands, async ({ query: { limit, ...query } }) => {
    // One more than is shown tells whether there are more.
    const found = await operatorIslands.list({ ...query, limit: limit + 1 })
    const islands = await Promise.all(found.slice(0, limit).map(present))
    return { status: 200, body: { islands, hasMore: found.length > limit } }
  })

  serve(
    app,
    handOverIsland,
    async ({ params: { id }, body: { host } }) => {
      const { island } = await read(id)
      const hostKey = host === null ? null : await findUserKey(host)
      if (hostKey === undefined) {
        throw new DomainError('invalid_input', {
          fields: { host: 'There is no user by that name.' },
        })
      }
      const outcome = await operatorIslands.handOver(id, hostKey, islandsPerUser)
      if (outcome === 'missing') throw new DomainError('not_found')
      if (outcome === 'limit_reached') throw new DomainError('island_limit')
      const userKeys = [island.hostKey, hostKey].filter((key) => key !== null)
      changes.noteChange({ islandKey: island.key, kind: 'changed', userKeys })
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
}

function presentOperatorIsland(
  { island, memberCount }: OperatorIslandRecord,
  isOpen: boolean,
): OperatorIsland {
  const { id, slug, name, door, isListed, hostUsername, address, hiddenMs, hiddenReason } = island
  return {
    id,
    slug,
    name,
    door,
    isListed,
    isOpen,
    host: hostUsername,
    address,
    memberCount,
    createdAt: toIso(island.createdMs),
    publishedAt: island.publishedMs === null ? null : toIso(island.publishedMs),
    hidden: hiddenMs === null ? null : { at: toIso(hiddenMs), reason: hiddenReason ?? '' },
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
