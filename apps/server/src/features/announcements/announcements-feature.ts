import { randomUUID } from 'node:crypto'
import {
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  listAnnouncements,
  updateAnnouncement,
  type Announcement,
} from '@astropelago/contract/announcements'
import { announcementsMax, endedAnnouncementRetentionDays } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { AnnouncementRecord } from './announcements-store.ts'
import { sqlAnnouncementsStore } from './sql-announcements-store.ts'

const endedRetentionMs = endedAnnouncementRetentionDays * 86_400_000
const pruneMs = 3_600_000

export function announcementsFeature({ storage, clock, schedule }: FeatureBase) {
  const store = sqlAnnouncementsStore(storage.db)

  schedule.everyOnLeader(pruneMs, 'old announcements were not deleted', () =>
    store.deleteEnded(clock() - endedRetentionMs),
  )

  const routes = async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
    serve(app, listAnnouncements, async () => {
      const current = await store.listCurrent(clock())
      return { status: 200, body: current.map(presentAnnouncement) }
    })

    serve(app, listAllAnnouncements, async () => {
      const all = await store.listAll()
      return { status: 200, body: all.map(presentAnnouncement) }
    })

    serve(
      app,
      createAnnouncement,
      async ({ body: { startsAt, endsAt, ...words } }) => {
        const nowMs = clock()
        const announcement = {
          ...words,
          id: randomUUID(),
          startsMs: startsAt === undefined ? nowMs : Date.parse(startsAt),
          endsMs: endsAt === null ? null : Date.parse(endsAt),
        }
        refuseEndBeforeStart(announcement)
        const isInserted = await store.insert(announcement, { nowMs, max: announcementsMax })
        if (!isInserted) throw new DomainError('server_full')
        return { status: 201, body: presentAnnouncement(announcement) }
      },
      { audit: ({ body: { title } }) => ({ action: 'announcement.created', details: { title } }) },
    )

    serve(
      app,
      updateAnnouncement,
      async ({ params, body: { startsAt, endsAt, ...words } }) => {
        const before = await store.find(params.id)
        if (before === undefined) throw new DomainError('not_found')
        const changed = {
          ...before,
          ...words,
          ...(startsAt !== undefined && { startsMs: Date.parse(startsAt) }),
          ...(endsAt !== undefined && { endsMs: endsAt === null ? null : Date.parse(endsAt) }),
        }
        refuseEndBeforeStart(changed)
        const updated = await store.update(changed)
        // Deleted between the two calls.
        if (updated === undefined) throw new DomainError('not_found')
        return { status: 200, body: presentAnnouncement(updated) }
      },
      {
        audit: ({ params, body }) => ({
          action: 'announcement.changed',
          subject: `announcement:${params.id}`,
          details: { changed: Object.keys(body).join(', ') },
        }),
      },
    )

    serve(
      app,
      deleteAnnouncement,
      async ({ params }) => {
        const deleted = await store.delete(params.id)
        if (deleted === undefined) throw new DomainError('not_found')
        return { status: 204 }
      },
      {
        audit: ({ params }) => ({
          action: 'announcement.deleted',
          subject: `announcement:${params.id}`,
        }),
      },
    )
  }

  return {
    routes,
    figures: async () => {
      const current = await store.listCurrent(clock())
      return [{ name: 'announcements', label: 'Announcements', value: current.length }]
    },
  }
}

function refuseEndBeforeStart({ startsMs, endsMs }: AnnouncementRecord): void {
  if (endsMs === null || endsMs > startsMs) return
  throw new DomainError('invalid_input', { fields: { endsAt: 'It has to end after it starts.' } })
}

function presentAnnouncement({ startsMs, endsMs, ...words }: AnnouncementRecord): Announcement {
  const { id, level, title, text } = words
  return { id, level, title, text, startsAt: isoTime(startsMs), endsAt: isoTime(endsMs) }
}
