import { messagesExported } from '@astropelago/contract/limits'
import {
  changeIslandRuntime,
  deleteIslandHolding,
  exportIslandHolding,
  getIslandRuntime,
  type IslandRuntime,
  listIslandHoldings,
} from '@astropelago/contract/island-data'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import { writeDay } from '../../history/time-spans.ts'
import { hourlyLimit } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Rooms } from '../rooms/public.ts'
import type { IslandLlmStore } from './island-llm-store.ts'
import type { LiveValues } from './live-values.ts'
import type { VisitorDataStore } from './visitor-data-store.ts'

const exportsPerHour = 60
const deletionsPerHour = 200

export async function islandRuntimeRoutes(
  app: FastifyInstance,
  {
    serve,
    data,
    values,
    rooms,
    llm,
    config,
    clock,
    cluster,
    islands,
  }: {
    readonly serve: Serve
    readonly data: VisitorDataStore
    readonly values: LiveValues
    readonly rooms: Rooms
    readonly llm: IslandLlmStore
    readonly config: Pick<Config, 'llm'>
    readonly clock: Clock
    readonly cluster: Cluster
    readonly islands: Pick<IslandsFeature, 'findHosted' | 'nameIsland'>
  },
) {
  const limitExports = hourlyLimit(exportsPerHour, cluster.size)
  const limitDeletions = hourlyLimit(deletionsPerHour, cluster.size)

  /** @throws DomainError `not_found` if the island holds nothing of the user */
  const findHolding = async (userKey: number, id: string): Promise<number> => {
    const found = (await data.list(userKey)).find(({ islandId }) => islandId === id)
    if (found === undefined) throw new DomainError('not_found')
    return found.islandKey
  }

  serve(app, listIslandHoldings, async ({ user: { userKey } }) => {
    const body = []
    for (const { islandId: id, islandKey: _, ...held } of await data.list(userKey)) {
      const named = await islands.nameIsland(userKey, id)
      body.push({ island: { id, slug: named?.slug ?? null, name: named?.name ?? null }, ...held })
    }
    return { status: 200, body }
  })

  serve(app, exportIslandHolding, async ({ user: { userKey }, params, reply }) => {
    limitExports(String(userKey))
    const islandKey = await findHolding(userKey, params.id)
    const stored = await data.listValues(userKey, islandKey)
    const sent = await data.listMessages(userKey, islandKey, { limit: messagesExported })
    reply.header('content-disposition', 'attachment; filename="island-data.json"')
    return {
      status: 200,
      body: {
        values: stored.map(({ store, key, value, changedMs }) => ({
          store,
          key,
          value: JSON.parse(value),
          changedAt: isoTime(changedMs),
        })),
        messages: sent.map(({ room, atMs, value }) => ({
          room,
          at: isoTime(atMs),
          value: JSON.parse(value),
        })),
      },
    }
  })

  serve(app, deleteIslandHolding, async ({ user: { userKey }, params }) => {
    limitDeletions(String(userKey))
    const islandKey = await findHolding(userKey, params.id)
    await data.deleteValues(userKey, islandKey)
    for (const { room, visitor } of await data.listAuthors(userKey, islandKey)) {
      await rooms.moderate(islandKey, room, { kind: 'erase', visitor })
    }
    return { status: 204 }
  })

  const readRuntime = async (islandKey: number): Promise<IslandRuntime> => ({
    llm: {
      isConfigured: config.llm !== undefined,
      dailyTokens: await llm.readBudget(islandKey),
      usedToday: await llm.readUse(islandKey, writeDay(clock())),
    },
    values: await values.store.totals(islandKey),
  })

  serve(app, getIslandRuntime, async ({ user, params }) => ({
    status: 200,
    body: await readRuntime((await islands.findHosted(user.userKey, params.id)).key),
  }))

  serve(app, changeIslandRuntime, async ({ user, params, body }) => {
    if (user.isDemo) throw new DomainError('demo_account')
    const { key } = await islands.findHosted(user.userKey, params.id)
    await llm.setBudget(key, body.llmDailyTokens)
    return { status: 200, body: await readRuntime(key) }
  })
}
