import * as v from 'valibot'
import { announcementTextMaxLength, announcementTitleMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { LongText, ShortText } from './text-fields.ts'
import { Time } from './time.ts'

/** How much it matters: `warning` is for problems and upcoming changes. */
export const AnnouncementLevel = v.picklist(['news', 'warning'], 'A level is news or warning.')
export type AnnouncementLevel = v.InferOutput<typeof AnnouncementLevel>

/** What the operator tells everybody. Times are ISO 8601 in UTC. */
export const Announcement = v.object({
  id: v.string(),
  level: AnnouncementLevel,
  title: v.string(),
  /** Plain text with line breaks; may be empty. */
  text: v.string(),
  startsAt: v.string(),
  /** Null if it stays until it is taken back. */
  endsAt: v.nullable(v.string()),
})
export type Announcement = v.InferOutput<typeof Announcement>

const titleMessage = `A title has 1 to ${announcementTitleMaxLength} characters, all of them visible.`
const Title = ShortText(announcementTitleMaxLength, titleMessage)
const Text = LongText(
  announcementTextMaxLength,
  `At most ${announcementTextMaxLength} characters, all of them text.`,
)
const NewAnnouncement = v.strictObject({
  level: v.optional(AnnouncementLevel, 'news'),
  title: Title,
  text: v.optional(Text, ''),
  /** At once by default. */
  startsAt: v.exactOptional(Time),
  endsAt: v.optional(v.nullable(Time), null),
})
export type NewAnnouncement = v.InferOutput<typeof NewAnnouncement>

/** Absent fields stay as they are. */
const AnnouncementChanges = v.pipe(
  v.strictObject({
    level: v.exactOptional(AnnouncementLevel),
    title: v.exactOptional(Title),
    text: v.exactOptional(Text),
    startsAt: v.exactOptional(Time),
    endsAt: v.exactOptional(v.nullable(Time)),
  }),
  v.minEntries(1, 'Name at least one thing to change.'),
)
export type AnnouncementChanges = v.InferOutput<typeof AnnouncementChanges>

export const listAnnouncements = defineRoute({
  method: 'GET',
  path: '/api/announcements',
  summary: 'The current announcements: warnings first, then the newest',
  tag: 'Announcements',
  access: 'anyone',
  answers: { 200: v.array(Announcement) },
  errors: ['rate_limited'],
})

export const listAllAnnouncements = defineRoute({
  method: 'GET',
  path: '/api/operator/announcements',
  summary: 'All announcements, including future and past ones, last to start first',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: v.array(Announcement) },
  errors: ['not_found'],
})

export const createAnnouncement = defineRoute({
  method: 'POST',
  path: '/api/operator/announcements',
  summary: 'Make an announcement to everybody, with a start and an optional end',
  tag: 'Operators',
  access: 'operator',
  body: NewAnnouncement,
  answers: { 201: Announcement },
  errors: ['not_found', 'invalid_input', 'server_full'],
})

export const updateAnnouncement = defineRoute({
  method: 'PATCH',
  path: '/api/operator/announcements/:id',
  summary: 'Change an announcement',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ id: v.string() }),
  body: AnnouncementChanges,
  answers: { 200: Announcement },
  errors: ['not_found', 'invalid_input'],
})

export const deleteAnnouncement = defineRoute({
  method: 'DELETE',
  path: '/api/operator/announcements/:id',
  summary: 'Take an announcement back',
  tag: 'Operators',
  access: 'operator',
  params: v.strictObject({ id: v.string() }),
  answers: { 204: null },
  errors: ['not_found'],
})
