import { setTimeout as wait } from 'node:timers/promises'
import type { StatusPageSettings } from '@astropelago/contract/status-pages'
import { describe, expect, test } from 'vitest'
import { statusPageDrawing } from './draw-status-page.ts'
import { CachedPages } from './cached-pages.ts'
import type { PageFacts, StatusPageReader } from './read-status-page.ts'

const settings: StatusPageSettings = {
  isOn: true,
  title: null,
  devices: [],
  islands: [],
  checks: [],
  frameHosts: [],
}

/** Everybody's page has one device, whose label a test changes. */
function setUp() {
  const counts = { facts: 0, pages: 0 }
  const device = { key: 7, id: 'pi', label: 'Pi', publicSinceMs: 0 }
  const onRead: (() => void)[] = []
  const page = { userKey: 1, settings, isShown: true, readMs: 0 }
  const findShown = async (username: string) => {
    const { userKey, settings: chosen, isShown } = page
    return isShown ? { userKey, username, settings: chosen } : undefined
  }
  const readFacts = async (username: string): Promise<PageFacts | undefined> => {
    counts.facts += 1
    if (page.readMs > 0) await wait(page.readMs)
    const shown = await findShown(username)
    if (shown === undefined) return undefined
    return {
      page: shown,
      devices: [{ ...device }],
      statuses: ['online'],
      islands: [],
      checks: [],
      text: JSON.stringify([device.label, shown]),
    }
  }
  const reader: StatusPageReader = {
    findShown,
    readFacts,
    readPage: async ({ page: { username }, devices }) => {
      counts.pages += 1
      onRead.pop()?.()
      const past = { since: null, uptime: null, observed: 0, days: [] }
      const shown = devices.map(
        ({ id, label }) => ({ id, label, status: 'online', ...past }) as const,
      )
      return {
        username,
        title: username,
        today: '2030-01-31',
        devices: shown,
        islands: [],
        checks: [],
      }
    },
  }
  const pages = new CachedPages(reader, statusPageDrawing({ rules: '' }, 'Sky'))
  const rename = (label: string) => {
    device.label = label
    pages.forgetSubject('devices', device.key)
  }
  const etag = async (username = 'nova') => (await pages.get(username))?.json.etag
  return {
    pages,
    page,
    counts,
    rename,
    etag,
    onReading: (change: () => void) => void onRead.push(change),
  }
}

describe('cached status pages', () => {
  test('SP5 are made once for simultaneous requests', async () => {
    const { pages, counts } = setUp()
    const all = await Promise.all(Array.from({ length: 100 }, () => pages.get('nova')))
    expect(new Set(all).size).toBe(1)
    expect(counts).toEqual({ facts: 1, pages: 1 })
    await pages.get('NOVA')
    expect(counts.facts).toBe(1)
  })

  test('are checked again after a second, and made again only if they would differ', async () => {
    const { pages, counts, etag } = setUp()
    const before = await pages.get('nova')
    await expect
      .poll(async () => (await pages.get('nova')) === before && counts.facts, { timeout: 10_000 })
      .toBe(2)
    expect(counts.pages).toBe(1)
    expect(await etag()).toBe(before?.json.etag)
  })

  test('are made again after a device flips twice between two checks, since its status began later', async () => {
    const { pages, counts } = setUp()
    await pages.get('nova')
    pages.markFlipped([8])
    const again = async (readings: number) => {
      const read = async () => (await pages.get('nova')) && counts.facts
      await expect.poll(read, { timeout: 10_000 }).toBe(readings)
      return counts.pages
    }
    expect(await again(2)).toBe(1)
    pages.markFlipped([8, 7])
    expect(await again(3)).toBe(2)
    expect(await again(4)).toBe(2)
  })

  test('SP1 never show again what is no longer public, even if it was being read', async () => {
    const { etag, rename, onReading, counts } = setUp()
    const before = await etag()
    rename('Roof')
    const after = await etag()
    expect(after).not.toBe(before)
    onReading(() => rename('Cellar'))
    rename('Shed')
    const last = await etag()
    expect(counts.pages).toBe(4)
    expect(new Set([before, after, last]).size).toBe(3)
  })

  test('S57 follow a change of settings on another server within a second, even if they take long to read', async () => {
    const { pages, page } = setUp()
    page.readMs = 500
    const before = await pages.get('nova')
    expect(before?.policy).toMatch(/frame-ancestors 'self'$/)
    // The next reading is due after ten times as long as the last one took.
    const soon = { timeout: 10_000 }
    page.settings = { ...settings, frameHosts: ['wall.example.org'] }
    await expect.poll(async () => (await pages.get('nova'))?.policy, soon).toContain('wall.example')
    page.isShown = false
    await expect.poll(() => pages.get('nova'), soon).toBe(null)
  })

  test('stay as they are when others change', async () => {
    const { pages, counts } = setUp()
    await pages.get('nova')
    pages.forgetSubject('devices', 8)
    pages.forgetSubject('islands', 7)
    pages.forgetOwners([2])
    await pages.get('nova')
    expect(counts.facts).toBe(1)
  })

  test('S57 are off, or on again, as soon as their owner is disabled or enabled', async () => {
    const { pages, page } = setUp()
    expect(await pages.get('nova')).not.toBe(null)
    page.isShown = false
    pages.forgetOwners([2, 1])
    expect(await pages.get('nova')).toBe(null)
    page.isShown = true
    pages.forgetOwners([1])
    expect(await pages.get('nova')).not.toBe(null)
  })

  test('appear as soon as their owner turns them on, though there was none just before', async () => {
    const { pages, page } = setUp()
    page.isShown = false
    expect(await pages.get('nova')).toBe(null)
    page.isShown = true
    pages.forgetOwners([1])
    expect(await pages.get('nova')).not.toBe(null)
  })

  test('SP5 are limited in number', async () => {
    const { pages, counts } = setUp()
    for (let at = 0; at <= 200; at += 1) await pages.get(`nova-${at}`)
    const { facts } = counts
    await pages.get('nova-0')
    expect(counts.facts).toBe(facts + 1)
  })
})
