import type { Announcement } from '@astropelago/contract/announcements'
import { expect, test } from 'vitest'
import {
  changesOf,
  draftOf,
  emptyDraft,
  newAnnouncementOf,
  readDraft,
} from './announcement-draft.ts'

const announcement: Announcement = {
  id: 'a',
  level: 'warning',
  title: 'Storm',
  text: 'Soon',
  startsAt: new Date(2030, 0, 31, 9, 5, 42).toISOString(),
  endsAt: null,
}
const words = { level: 'warning', title: 'Storm', text: 'Soon' }

test('the form shows times in the reader’s time zone', () => {
  expect(draftOf(announcement)).toEqual({ ...words, startsAt: '2030-01-31T09:05', endsAt: '' })
})

test('a new announcement is sent without an empty start, and with no end', () => {
  const draft = { ...emptyDraft, ...words, level: 'warning' } as const
  expect(newAnnouncementOf(draft)).toEqual({ ...words, endsAt: null })
  const timed = { ...draft, startsAt: '2030-01-31T09:05', endsAt: '2030-02-01T00:00' }
  expect(newAnnouncementOf(timed)).toEqual({
    ...words,
    startsAt: new Date(2030, 0, 31, 9, 5).toISOString(),
    endsAt: new Date(2030, 1, 1).toISOString(),
  })
})

test('a change does not send unchanged times', () => {
  const draft = draftOf(announcement)
  expect(changesOf(draft, announcement)).toEqual(words)
  expect(changesOf({ ...draft, startsAt: '' }, announcement)).toEqual(words)
  const ended = { ...announcement, endsAt: new Date(2030, 1, 1).toISOString() }
  expect(changesOf(draft, ended)).toEqual({ ...words, endsAt: null })
})

test('an announcement needs a title and an end after its start, which is now by default', () => {
  const now = new Date(2030, 0, 31, 12)
  const title = 'Give it a title.'
  expect(readDraft({ ...emptyDraft, title: ' ' }, now)).toEqual({ problems: { title } })
  const draft = { ...emptyDraft, title: 'Storm' }
  const endsAt = 'It has to end after it starts.'
  const atOnce = { ...draft, endsAt: '2030-01-31T12:00' }
  expect(readDraft(atOnce, now)).toEqual({ problems: { endsAt } })
  const later = { ...draft, endsAt: '2030-01-31T12:01' }
  expect(readDraft(later, now)).toEqual({ body: later })
  const times = { startsAt: '2030-02-01T00:00', endsAt: '2030-02-01T00:00' }
  expect(readDraft({ ...draft, ...times }, now)).toEqual({ problems: { endsAt } })
})
