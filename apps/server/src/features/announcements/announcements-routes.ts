import { randomUUID } from 'node:crypto'
import {
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  listAnnouncements,
  updateAnnouncement,
  type Announcement,
} from '@astropelago/contract/announcements'
import { announcementsMax } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { AnnouncementRecord, AnnouncementsStore } from './announcements-store.ts'

interface AnnouncementsRoutesOptions {
  readonly serve: Serve
  readonly store: AnnouncementsStore
  readonly clock: Clock
}

export async function announcementsRoutes(
  app: FastifyInstance,
  { serve, store, clock }: AnnouncementsRoutesOptions,
) {
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
    async ({ body: { level, title, text, startsAt, endsAt } }) => {
      const nowMs = clock()
      const startsMs = startsAt === undefined ? nowMs : Date.parse(startsAt)
      const announcement = {
        id: randomUUID(),
        level,
        title,
        text,
        startsMs,
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

function refuseEndBeforeStart({ startsMs, endsMs }: AnnouncementRecord): void {
  if (endsMs === null || endsMs > startsMs) return
  throw new DomainError('invalid_input', { fields: { endsAt: 'It has to end after it starts.' } })
}

function presentAnnouncement({
  id,
  level,
  title,
  text,
  startsMs,
  endsMs,
}: AnnouncementRecord): Announcement {
  return {
    id,
    level,
    title,
    text,
    startsAt: new Date(startsMs).toISOString(),
    endsAt: endsMs === null ? null : new Date(endsMs).toISOString(),
  }
}
