import { historyDays } from '@astropelago/contract/history'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { dayMs, dayStart } from '../../../history/time-spans.ts'
import { uptimesOf } from '../../../history/uptimes.ts'
import { deleteInSteps, restBetweenSteps } from '../../../steps.ts'
import type { HistoryFeature } from '../../history/public.ts'
import { signedOutViewer, type VisibilityFacts } from '../access-policy.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import type { FoundIsland } from '../islands-store.ts'
import type { CachedIslands } from '../public/cached-islands.ts'
import type { IslandEvent } from '../public/publish-islands.ts'
import type { PublicIslandsStore } from '../public/public-islands-store.ts'
import { islandHistoryRoutes } from './island-history-routes.ts'
import { readIslandHistory } from './read-island-history.ts'
import { recordOpenness } from './record-openness.ts'
import { sqlIslandHistoryStore } from './sql-island-history-store.ts'

const recordMs = 1000
const pruneMs = 3_600_000

export function islandHistoryFeature(
  { storage, cluster, clock, schedule, metrics }: FeatureBase,
  options: Pick<HistoryFeature, 'readUnobserved'> & {
    readonly publicStore: PublicIslandsStore
    readonly cached: Pick<CachedIslands, 'find'>
    readonly presence: CarrierPresence
    readonly listen: (listener: (event: IslandEvent) => void) => void
  },
) {
  const { publicStore, cached, presence, listen, readUnobserved } = options
  const store = sqlIslandHistoryStore(storage.db, storage.longReads)
  const recorder = recordOpenness({
    store,
    islands: publicStore,
    cached,
    presence,
    clock,
    cluster,
    rest: restBetweenSteps,
  })
  listen(({ kind, islandKey }) => {
    if (kind === 'open') recorder.add(islandKey, 'opened')
    else if (kind === 'changed') recorder.add(islandKey, 'changed')
  })
  schedule.every(recordMs, 'openings of islands were not recorded', (signal) =>
    recorder.record(signal),
  )
  schedule.everyOnLeader(pruneMs, 'old events of islands were not deleted', async (signal) => {
    const untilMs = dayStart(clock() - historyDays * dayMs)
    await deleteInSteps((limit) => store.deleteOld(untilMs, limit), { signal })
  })
  metrics.gauge({
    name: 'astropelago_island_history_waiting',
    help: 'Islands that may have opened or closed, which is not on record yet; more than a few for seconds mean that the work is stuck',
    read: () => recorder.waitingCount(),
  })
  const read = readIslandHistory(store, clock, readUnobserved)

  return {
    store,
    readUptimes: async (found: FoundIsland) => uptimesOf(await read(found.island, found.viewer)),
    /** Newest first, and the time from which they are shown. */
    readOpenings: async (found: FoundIsland, limit: number) => {
      const { events, visibleFromMs } = await read(found.island, found.viewer)
      const openings = events
        .flatMap(({ kind, atMs }) => (kind === 'unobserved' ? [] : [{ kind, atMs }]))
        .slice(0, limit)
      return { openings, sinceMs: visibleFromMs ?? found.island.createdMs }
    },
    readForEverybody: (island: VisibilityFacts & { readonly key: number }) =>
      read(island, signedOutViewer),
    recordedUntilMs: () => recorder.recordedUntilMs,
    routes: (app: FastifyInstance, context: IslandsRoutesContext) =>
      islandHistoryRoutes(app, { ...context, read }),
  }
}
