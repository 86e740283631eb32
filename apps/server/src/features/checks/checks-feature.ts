import { checksPerDemoUser } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { writeDay } from '../../history/time-spans.ts'
import type { UserCaller } from '../../http/callers.ts'
import { hourlyLimit, limitCalls, type RateLimits } from '../../http/rate-limits.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { isoTime } from '../../iso-time.ts'
import { counted, type OwnDataKind } from '../../own-data.ts'
import type { Reportable } from '../../reportable.ts'
import type { HistoryFeature } from '../history/public.ts'
import { checksRoutes, type ChecksRoutesOptions } from './checks-routes.ts'
import type { ChecksStore } from './checks-store.ts'
import { presentOwnCheck, visibleFrom } from './present-check.ts'
import { pushRoutes } from './push/push-routes.ts'
import { readCheckHistory } from './read-check-history.ts'
import { rollUpChecks } from './roll-up-checks.ts'
import { sqlLocationsStore } from './locations/sql-locations-store.ts'
import { checksRunner, type ChecksRunnerConfig } from './running/checks-runner.ts'
import { shownChecks } from './shown-checks.ts'
import { sqlChecksStore } from './sql-checks-store.ts'

const rollUpMs = 10 * 60_000
const minuteMs = 60_000
/** Of all users together. */
const maxChecks = 100_000
const runsPerMinute = 6
const renewalsPerHour = 30

interface ChecksFeatureOptions extends Pick<ChecksRoutesOptions, 'islands'> {
  readonly config: ChecksRunnerConfig & Pick<Config, 'checksPerUser'>
  readonly history: Pick<HistoryFeature, 'readUnobserved'>
}

export function checksFeature(
  base: FeatureBase,
  { config, history, ...given }: ChecksFeatureOptions,
) {
  const { storage, cluster, clock, schedule } = base
  const { checksPerUser, publicUrl } = config
  const store = sqlChecksStore(storage, { maxChecks })
  const { runner, probe, isRefusedTarget } = checksRunner(base, { config, store })
  const read = readCheckHistory(
    store,
    clock,
    history.readUnobserved,
    sqlLocationsStore(storage).read,
  )
  const rollUp = rollUpChecks(store)
  schedule.everyOnLeader(rollUpMs, 'old looks of checks were not summed up', (signal) =>
    rollUp(clock(), signal),
  )
  const runs = new CallLimit({
    maxCalls: runsPerMinute,
    windowMs: minuteMs,
    servers: cluster.size,
  })
  const parts = {
    ...given,
    store,
    runCheck: runner.run,
    isRefused: isRefusedTarget,
    history: read,
    clock,
    publicUrl,
    limitOf: ({ isDemo }: Pick<UserCaller, 'isDemo'>) =>
      isDemo ? Math.min(checksPerDemoUser, checksPerUser) : checksPerUser,
    limitRuns: limitCalls(runs),
    limitRenewals: hourlyLimit(renewalsPerHour, cluster.size),
  }

  return {
    store,
    probe,
    lookFrom: runner.lookFrom,
    maxChecks,
    isRefused: isRefusedTarget,
    readTime: read.readTime,
    shown: shownChecks({ store, history: read, clock }),
    ownData: ownChecksData(store),
    reportable: reportableChecks(store),
    routes: async (
      app: FastifyInstance,
      {
        serve,
        limits,
        ...context
      }: Pick<ChecksRoutesOptions, 'serve' | 'findUser' | 'findOwnDeviceKey'> & {
        readonly limits: Pick<RateLimits, 'badDeviceToken'>
      },
    ) => {
      await checksRoutes(app, { ...parts, ...context, serve })
      await app.register(pushRoutes, { serve, store, report: runner.report, limits, clock })
    },
  }
}

function reportableChecks(store: Pick<ChecksStore, 'find' | 'readById' | 'setHidden'>): Reportable {
  const read: Reportable['read'] = async (ids) =>
    new Map(
      (await store.readById(ids)).map(({ check, username }) => {
        const { id, name, publicMs, hidden } = check
        return [id, { name, link: null, author: username, isPublic: publicMs !== null, hidden }]
      }),
    )
  return {
    find: async (userKey, id) => {
      const check = await store.find(id)
      const isOthers = check?.userKey !== userKey
      const isShown = check !== undefined && visibleFrom(check, null) !== undefined
      return isOthers && isShown ? (await read([id])).get(id) : undefined
    },
    read,
    setHidden: store.setHidden,
  }
}

function ownChecksData(
  store: Pick<ChecksStore, 'count' | 'list' | 'readEvents' | 'readDays'>,
): OwnDataKind {
  return {
    kind: 'checks',
    count: store.count,
    text: (count) => counted(count, 'check with its history', 'checks with their history'),
    read: async function* (userKey) {
      for (const check of await store.list(userKey)) {
        const events = await store.readEvents(check.key, 0)
        const days = await store.readDays(check.key, 0)
        yield JSON.stringify({
          ...presentOwnCheck(check),
          events: events.map(({ atMs, kind, note }) => ({ at: isoTime(atMs), kind, note })),
          days: days.map(({ locationKey, dayMs, p50Ms, p95Ms }) => ({
            day: writeDay(dayMs),
            location: locationKey,
            p50Ms,
            p95Ms,
          })),
        })
      }
    },
  }
}
