import { describe, expect, test } from 'vitest'
import { KeptPages } from './kept-pages.ts'
import type { PageFacts } from './read-status-page.ts'

const settings = { isOn: true, title: null, devices: [], islands: [], frameHosts: [] }

/** Pages of everybody with one device, whose label a test changes. */
function setUp() {
  const counts = { looked: 0, read: 0 }
  const device = { key: 7, id: 'pi', label: 'Pi', publicSinceMs: 0 }
  const onRead: (() => void)[] = []
  const look = async (username: string): Promise<PageFacts> => {
    counts.looked += 1
    return {
      page: { userKey: 1, username, settings },
      devices: [{ ...device }],
      statuses: ['online'],
      islands: [],
      text: device.label,
    }
  }
  const pages = new KeptPages({
    look,
    read: async ({ page: { username }, devices }) => {
      counts.read += 1
      onRead.pop()?.()
      const past = { since: null, uptime: null, observed: 0, days: [] }
      const shown = devices.map(
        ({ id, label }) => ({ id, label, status: 'online', ...past }) as const,
      )
      return { username, title: username, today: '2030-01-31', devices: shown, islands: [] }
    },
  })
  const rename = (label: string) => {
    device.label = label
    pages.forgetThing('devices', device.key)
  }
  const etag = async (username = 'nova') => (await pages.get(username))?.json.etag
  return {
    pages,
    counts,
    rename,
    etag,
    onReading: (change: () => void) => void onRead.push(change),
  }
}

describe('kept status pages', () => {
  test('SP5 whoever asks at once gets a page that was made once', async () => {
    const { pages, counts } = setUp()
    const all = await Promise.all(Array.from({ length: 100 }, () => pages.get('nova')))
    expect(new Set(all).size).toBe(1)
    expect(counts).toEqual({ looked: 1, read: 1 })
    await pages.get('NOVA')
    expect(counts.looked).toBe(1)
  })

  test('are looked at again after a second, and made anew only where they would be others', async () => {
    const { pages, counts, etag } = setUp()
    const before = await pages.get('nova')
    await expect
      .poll(async () => (await pages.get('nova')) === before && counts.looked, { timeout: 5000 })
      .toBe(2)
    expect(counts.read).toBe(1)
    expect(await etag()).toBe(before?.json.etag)
  })

  test('SP1 what was taken from everybody is not shown once more, even where it was being read', async () => {
    const { etag, rename, onReading, counts } = setUp()
    const before = await etag()
    rename('Roof')
    const after = await etag()
    expect(after).not.toBe(before)
    onReading(() => rename('Cellar'))
    rename('Shed')
    const last = await etag()
    expect(counts.read).toBe(4)
    expect(new Set([before, after, last]).size).toBe(3)
  })

  test('of others stay as they are', async () => {
    const { pages, counts } = setUp()
    await pages.get('nova')
    pages.forgetThing('devices', 8)
    pages.forgetThing('islands', 7)
    pages.forgetUser('vega')
    await pages.get('nova')
    expect(counts.looked).toBe(1)
    pages.forgetUser('Nova')
    await pages.get('nova')
    expect(counts.looked).toBe(2)
  })

  test('are so many at most', async () => {
    const { pages, counts } = setUp()
    for (let at = 0; at <= 200; at += 1) await pages.get(`nova-${at}`)
    const { looked } = counts
    await pages.get('nova-0')
    expect(counts.looked).toBe(looked + 1)
  })
})
