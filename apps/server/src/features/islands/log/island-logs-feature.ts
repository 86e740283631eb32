import { openingRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { deleteInSteps } from '../../../steps.ts'
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

interface IslandLogsOptions {
  readonly store: IslandsStore
  readonly flips: FlipsToRead
  readonly presence: CarrierPresence
}

/** What the app hands in for the routes of logs. */
export type IslandLogsParts = Pick<LogRoutesOptions, 'serve' | 'findUser'> &
  Pick<AllLogsRoutesOptions, 'listFollowed'>

/** The logs of islands: notes and signals, who joined, and when islands opened and closed. */
export function islandLogsFeature(
  { storage, clock, schedule }: FeatureBase,
  { store: islands, flips, presence }: IslandLogsOptions,
) {
  const log = sqlLogStore(storage, storage.longReads)
  const parts = { islands, log, clock, presence, sent: countSentPosts(clock) }
  const longReads = sqlIslandsStore({ ...storage, db: storage.longReads })
  const openings = sqlOpeningsStore(storage)

  schedule.everyOnLeader(
    openingsMs,
    'openings of islands were not written',
    logOpenings({ ...parts, flips, store: openings }),
  )
  schedule.everyOnLeader(
    openingsMs,
    'openings of relayed islands were not written',
    logRelayOpenings({ ...parts, store: openings }),
  )
  schedule.everyOnLeader(pruneMs, 'old openings of islands were not deleted', async (signal) => {
    const untilMs = clock() - openingsKeptMs
    await deleteInSteps((limit) => log.deleteOpenings(untilMs, limit), { signal })
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
