import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AnnouncementRecord, AnnouncementsStore } from './announcements-store.ts'

const plenty = { nowMs: 0, max: 100 }

/** What every store of announcements must do, on any database. */
export function announcementsStoreContract(open: () => Promise<AnnouncementsStore>): void {
  test.each([
    ['plain', {}],
    ['without an end', { endsMs: null }],
    ['a warning', { level: 'warning' as const }],
    ['S40 with unicode, quotes and lines', { title: `'"; -- 🛰`, text: 'a\n\nΩ\u0001' }],
    ['S40 of a far time', { startsMs: -1, endsMs: Number.MAX_SAFE_INTEGER }],
  ])('an announcement %s is stored as given', async (_, details) => {
    const store = await open()
    const announcement = newAnnouncement(details)
    expect(await store.insert(announcement, plenty)).toBe(true)
    expect(await store.find(announcement.id)).toEqual(announcement)
    expect(await store.listAll()).toEqual([announcement])
  })

  test('announcements that have begun and not ended are current: warnings first, then the latest', async () => {
    const store = await open()
    for (const [id, startsMs, endsMs, level] of [
      ['first', 1, null, 'news'],
      ['beginning', 10, 11, 'news'],
      ['warning', 2, 20, 'warning'],
      ['ending', 3, 10, 'news'],
      ['to come', 11, null, 'warning'],
    ] as const) {
      await store.insert(newAnnouncement({ id, startsMs, endsMs, level }), plenty)
    }
    const current = await store.listCurrent(10)
    expect(current.map(({ id }) => id)).toEqual(['warning', 'beginning', 'first'])
    const all = await store.listAll()
    expect(all.map(({ id }) => id)).toEqual(['to come', 'beginning', 'ending', 'warning', 'first'])
  })

  test('a change replaces an announcement, and deleting returns it once', async () => {
    const store = await open()
    const [changed, other] = [newAnnouncement(), newAnnouncement({ startsMs: 0 })]
    await store.insert(changed, plenty)
    await store.insert(other, plenty)
    const next = { ...changed, level: 'warning', title: 'Storm', endsMs: 9 } as const
    expect(await store.update(next)).toEqual(next)
    expect(await store.listAll()).toEqual([next, other])
    expect(await store.delete(next.id)).toEqual(next)
    expect(await store.delete(next.id)).toBeUndefined()
    expect(await store.update(next)).toBeUndefined()
    expect(await store.find(next.id)).toBeUndefined()
    expect(await store.listAll()).toEqual([other])
  })

  describe('S52 limits', () => {
    test('the limit holds under simultaneous calls, and ended announcements do not count', async () => {
      const store = await open()
      await store.insert(newAnnouncement({ endsMs: 5 }), plenty)
      const insert = () => store.insert(newAnnouncement({ endsMs: 6 }), { nowMs: 5, max: 2 })
      const outcomes = await Promise.all([insert(), insert(), insert(), insert()])
      expect(outcomes.filter(Boolean)).toHaveLength(2)
      expect(await store.listAll()).toHaveLength(3)
    })

    test('only announcements that ended long ago are deleted', async () => {
      const store = await open()
      const kept = [newAnnouncement({ startsMs: 3, endsMs: 6 }), newAnnouncement({ endsMs: null })]
      for (const one of [...kept, newAnnouncement({ endsMs: 5 })]) await store.insert(one, plenty)
      expect(await store.deleteEnded(5)).toBe(1)
      expect(await store.listAll()).toEqual(kept)
    })
  })
}

function newAnnouncement(details: Partial<AnnouncementRecord> = {}): AnnouncementRecord {
  return {
    id: randomUUID(),
    level: 'news',
    title: 'A new harbour',
    text: 'Come and see.',
    startsMs: 1,
    endsMs: 8,
    ...details,
  }
}
