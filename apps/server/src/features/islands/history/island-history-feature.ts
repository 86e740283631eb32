import { historyDays } from '@astropelago/contract/history'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { dayMs, dayStart, type TimeSpan } from '../../../history/time-spans.ts'
import { deleteInSteps, restBetweenSteps } from '../../../steps.ts'
import { signedOutViewer, visibleFrom, type VisibilityFacts } from '../access-policy.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { FoundIsland, IslandsStore } from '../islands-store.ts'
import type { IslandEvent } from '../public/island-events.ts'
import type { CachedIslands } from '../public/cached-islands.ts'
import type { PublicIslandsStore } from '../public/public-islands-store.ts'
import {
  islandHistoryRoutes,
  islandUptimes,
  type IslandHistoryRoutesOptions,
} from './island-history-routes.ts'
import { ownOpeningsData } from './own-openings-data.ts'
import { readIslandHistory } from './read-island-history.ts'
import { recordOpenness } from './record-openness.ts'
import { sqlIslandHistoryStore } from './sql-island-history-store.ts'

const recordMs = 1000
const pruneMs = 3_600_000

interface IslandHistoryOptions {
  readonly store: Pick<IslandsStore, 'findById'>
  readonly publicStore: PublicIslandsStore
  readonly known: Pick<CachedIslands, 'find'>
  readonly presence: CarrierPresence
  readonly listen: (listener: (event: IslandEvent) => void) => void
  /** When no server could observe anything, in the last 90 days. */
  readonly readUnobserved: () => Promise<readonly TimeSpan[]>
}

type RoutesParts = Pick<IslandHistoryRoutesOptions, 'serve' | 'findUser'>

/** When islands were open: per day, and as a share of time. */
export function islandHistoryFeature(
  { storage, cluster, clock, schedule, metrics }: FeatureBase,
  options: IslandHistoryOptions,
) {
  const { store: islands, publicStore, known, presence, listen, readUnobserved } = options
  const store = sqlIslandHistoryStore(storage.db, storage.longReads)
  const recorder = recordOpenness({
    store,
    islands: publicStore,
    find: (key) => known.find(key),
    isUnheard: (deviceKey) => presence.status(deviceKey) === 'unknown',
    clock,
    leads: () => cluster.leads(),
    rest: restBetweenSteps,
  })
  listen(({ kind, islandKey }) => {
    if (kind === 'open') recorder.look(islandKey, 'opened')
    else if (kind === 'changed') recorder.look(islandKey, 'changed')
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
    help: 'Islands that may be open or closed now, of which it is not on record yet; more than a few for seconds mean that the work is stuck',
    read: () => recorder.waitingCount(),
  })
  const read = readIslandHistory({ store, clock, readUnobserved })
  const readFor = async (found: FoundIsland) => {
    const visibleFromMs = visibleFrom(found.island, found.viewer)
    return { visibleFromMs, time: await read({ islandKey: found.island.key, visibleFromMs }) }
  }

  return {
    /** The uptime in each window, as far as the viewer may know it. */
    readUptimes: async (found: FoundIsland) => islandUptimes((await readFor(found)).time),
    /** Openings and closings, newest first, and the time from which they are shown. */
    readOpenings: async (found: FoundIsland, limit: number) => {
      const { time, visibleFromMs } = await readFor(found)
      const openings = time.events
        .flatMap(({ kind, atMs }) => (kind === 'unobserved' ? [] : [{ kind, atMs }]))
        .slice(0, limit)
      return { openings, sinceMs: visibleFromMs ?? found.island.createdMs }
    },
    ownData: ownOpeningsData(store),
    /** The history that everybody may see of an island that everybody may see. */
    readForEverybody: async (island: VisibilityFacts & { readonly key: number }) => {
      const visibleFromMs = visibleFrom(island, signedOutViewer)
      return { ...(await read({ islandKey: island.key, visibleFromMs })), visibleFromMs }
    },
    readChanges: store.readChanges,
    recordedUntilMs: () => recorder.recordedUntilMs,
    routes: (app: FastifyInstance, parts: RoutesParts) =>
      islandHistoryRoutes(app, { ...parts, islands, presence, read }),
  }
}
