import { endedAnnouncementRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { announcementsRoutes } from './announcements-routes.ts'
import { sqlAnnouncementsStore } from './sql-announcements-store.ts'

const endedKeptMs = endedAnnouncementRetentionDays * 86_400_000
const pruneMs = 3_600_000

/** The operator's announcements to everybody. */
export function announcementsFeature({ storage, clock, schedule }: FeatureBase) {
  const store = sqlAnnouncementsStore(storage.db)

  schedule.everyOnLeader(pruneMs, 'old announcements were kept', () =>
    store.deleteEnded(clock() - endedKeptMs),
  )

  return {
    figures: async () => {
      const current = await store.listCurrent(clock())
      return [{ name: 'announcements', label: 'Announcements', value: current.length }]
    },
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      announcementsRoutes(app, { serve, store, clock }),
  }
}
