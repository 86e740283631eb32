import {
  type Announcement,
  type AnnouncementLevel,
  createAnnouncement,
} from '@astropelago/contract/announcements'
import { t } from '@lingui/core/macro'
import { type Reading, readBy } from '../../../lib/forms/reading.ts'
import { fromLocalInput, toLocalInput } from '../../../lib/local-time-input.ts'

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

/** The draft, or what is wrong with it, by the contract's own rules for a new one. */
export function readDraft(draft: AnnouncementDraft, now: Date): Reading<AnnouncementDraft> {
  const { title, startsAt, endsAt } = draft
  const start = startsAt === '' ? now : new Date(startsAt)
  const reading = readBy(createAnnouncement.body, newAnnouncementOf(draft), {
    title: title.trim() === '' && t`Give it a title.`,
    endsAt: endsAt !== '' && new Date(endsAt) <= start && t`It has to end after it starts.`,
  })
  return 'problems' in reading ? reading : { body: draft }
}

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

/** Returns the text as typed if there is no such time. */
function isoTime(local: string): string {
  return fromLocalInput(local) ?? local
}
