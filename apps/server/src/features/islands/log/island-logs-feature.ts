import { openingRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { deleteInSteps } from '../../../steps.ts'
import type { PresenceFeature } from '../../presence/public.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { sqlIslandsStore } from '../sql-islands-store.ts'
import { allLogsRoutes, readOwnLog, signalsRoutes } from './all-logs-routes.ts'
import { logOpenings, logRelayOpenings } from './log-openings.ts'
import { logRoutes } from './log-routes.ts'
import type { LogPage } from './log-store.ts'
import { sqlLogStore } from './sql-log-store.ts'
import { sqlOpeningsStore } from './sql-openings-store.ts'

const openingsMs = 5000
const pruneMs = 3_600_000

export function islandLogsFeature(
  { storage, clock, schedule }: FeatureBase,
  flips: PresenceFeature['flips'],
) {
  const log = sqlLogStore(storage, storage.longReads)
  const longReads = sqlIslandsStore({ ...storage, db: storage.longReads })
  const store = sqlOpeningsStore(storage)

  schedule.everyOnLeader(
    openingsMs,
    'openings of islands were not written',
    logOpenings({ flips, store, clock }),
  )
  schedule.everyOnLeader(
    openingsMs,
    'openings of relayed islands were not written',
    logRelayOpenings(store, clock),
  )
  schedule.everyOnLeader(pruneMs, 'old openings of islands were not deleted', async (signal) => {
    const untilMs = clock() - openingRetentionDays * dayMs
    await deleteInSteps((limit) => log.deleteOpenings(untilMs, limit), { signal })
  })

  return {
    log,
    readOwn: (userKey: number, page: Pick<LogPage, 'after' | 'limit'>) =>
      readOwnLog(longReads, log, userKey, page),
    routes: async (app: FastifyInstance, context: IslandsRoutesContext) => {
      await logRoutes(app, { ...context, log })
      await signalsRoutes(app, { ...context, log })
      await allLogsRoutes(app, { ...context, log, islands: longReads })
    },
  }
}
