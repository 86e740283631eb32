import type { Announcement, AnnouncementLevel } from '@astropelago/contract/announcements'
import { toLocalInput } from '../../../lib/local-time-input.ts'

/** The form's values. Times have the format of a `datetime-local` field, in the browser's time zone. */
export interface AnnouncementDraft {
  readonly level: AnnouncementLevel
  readonly title: string
  readonly text: string
  /** Empty for an immediate start, or an unchanged one. */
  readonly startsAt: string
  /** Empty for no end. */
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

/** The errors found before sending. The server validates the rest. */
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

/** The request for a new announcement. */
export function newAnnouncementOf({ startsAt, endsAt, ...words }: AnnouncementDraft) {
  return {
    ...words,
    ...(startsAt !== '' && { startsAt: isoTime(startsAt) }),
    endsAt: endsAt === '' ? null : isoTime(endsAt),
  }
}

/** The request for a change. Unchanged times keep their seconds. */
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
