import { setTimeout as wait } from 'node:timers/promises'
import { openingRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import type { IslandChanges } from '../island-changes.ts'
import type { CarrierPresence } from '../island-openness.ts'
import type { IslandsStore } from '../islands-store.ts'
import { sqlIslandsStore } from '../sql-islands-store.ts'
import { allLogsRoutes, type AllLogsRoutesOptions } from './all-logs-routes.ts'
import { logRoutes, type LogRoutesOptions } from './log-routes.ts'
import { logOpenings, type FlipsToRead } from './log-openings.ts'
import { logRelayOpenings } from './log-relay-openings.ts'
import { ownLog } from './own-log.ts'
import { ownLogData } from './own-log-data.ts'
import { reportableLogEntries } from './reportable-log-entries.ts'
import { sqlLogStore } from './sql-log-store.ts'
import { signalsRoutes } from './signals-routes.ts'
import { sqlOpeningsStore } from './sql-openings-store.ts'
import { countSentPosts } from './write-post.ts'

const openingsMs = 5000
const openingsKeptMs = openingRetentionDays * 86_400_000
const pruneMs = 3_600_000
/** Rows per step, and the rest after it. A heartbeat may have to wait for one step. */
const pruneSize = 250
const pruneRestMs = 10

interface IslandLogsOptions {
  readonly store: IslandsStore
  readonly changes: IslandChanges
  readonly flips: FlipsToRead
  readonly presence: CarrierPresence
}

/** What the app hands in for the routes of logs. */
export type IslandLogsParts = Pick<LogRoutesOptions, 'serve' | 'findUser'> &
  Pick<AllLogsRoutesOptions, 'listFollowed'>

/** The logs of islands: notes and signals, who joined, and when islands opened and closed. */
export function islandLogsFeature(
  { storage, cluster, clock, schedule }: FeatureBase,
  { store: islands, changes, flips, presence }: IslandLogsOptions,
) {
  const log = sqlLogStore(storage.db, storage.longReads)
  const parts = { islands, log, changes, clock, presence, sent: countSentPosts(clock) }
  const longReads = sqlIslandsStore(storage.longReads)
  const openings = sqlOpeningsStore(storage.db)
  const tellOpenings = logOpenings({ ...parts, flips, store: openings })
  const tellRelayOpenings = logRelayOpenings({ ...parts, store: openings })

  schedule.every(openingsMs, 'openings of islands were not written', async () => {
    if (cluster.leads()) await tellOpenings()
  })
  schedule.every(openingsMs, 'openings of relayed islands were not written', async () => {
    if (cluster.leads()) await tellRelayOpenings()
  })
  schedule.every(pruneMs, 'old openings of islands were not deleted', async (signal) => {
    if (!cluster.leads()) return
    const untilMs = clock() - openingsKeptMs
    while ((await log.deleteOpenings(untilMs, pruneSize)) === pruneSize) {
      await wait(pruneRestMs)
      if (signal.aborted) return
    }
  })

  return {
    log,
    readOwn: ownLog({ islands: longReads, log }),
    ownData: ownLogData(parts),
    reportable: reportableLogEntries(parts),
    routes: async (app: FastifyInstance, routesParts: IslandLogsParts) => {
      await logRoutes(app, { ...parts, ...routesParts })
      await signalsRoutes(app, { ...parts, ...routesParts })
      await allLogsRoutes(app, { ...parts, ...routesParts, islands: longReads })
    },
  }
}
