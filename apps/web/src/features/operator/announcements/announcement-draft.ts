import type { Announcement, AnnouncementLevel } from '@astropelago/contract/announcements'
import { toLocalInput } from '../../../lib/local-time-input.ts'

/** What stands in the form; times as a `datetime-local` field has them, in the time zone of its reader. */
export interface AnnouncementDraft {
  readonly level: AnnouncementLevel
  readonly title: string
  readonly text: string
  /** Empty: at once, or when it started. */
  readonly startsAt: string
  /** Empty: until it is taken back. */
  readonly endsAt: string
}

export const emptyDraft: AnnouncementDraft = {
  level: 'news',
  title: '',
  text: '',
  startsAt: '',
  endsAt: '',
}

export function draftOf({ level, title, text, startsAt, endsAt }: Announcement): AnnouncementDraft {
  return {
    level,
    title,
    text,
    startsAt: toLocalInput(startsAt),
    endsAt: endsAt === null ? '' : toLocalInput(endsAt),
  }
}

export type DraftErrors = Partial<Record<keyof AnnouncementDraft, string>>

/** What is wrong with a draft before it is sent: the server judges the rest. */
export function draftErrors(
  { title, startsAt, endsAt }: AnnouncementDraft,
  now: Date,
): DraftErrors {
  const start = startsAt === '' ? now : new Date(startsAt)
  return {
    ...(title.trim() === '' && { title: 'Give it a title.' }),
    ...(endsAt !== '' && new Date(endsAt) <= start && { endsAt: 'It has to end after it starts.' }),
  }
}

/** What is sent of a new announcement. */
export function newAnnouncementOf({ startsAt, endsAt, ...words }: AnnouncementDraft) {
  return {
    ...words,
    ...(startsAt !== '' && { startsAt: isoTime(startsAt) }),
    endsAt: endsAt === '' ? null : isoTime(endsAt),
  }
}

/** What is sent of a change: times that were left as they were keep their seconds. */
export function changesOf(draft: AnnouncementDraft, announcement: Announcement) {
  const before = draftOf(announcement)
  const { startsAt, endsAt, ...words } = draft
  return {
    ...words,
    ...(startsAt !== before.startsAt && startsAt !== '' && { startsAt: isoTime(startsAt) }),
    ...(endsAt !== before.endsAt && { endsAt: endsAt === '' ? null : isoTime(endsAt) }),
  }
}

function isoTime(local: string): string {
  return new Date(local).toISOString()
}
