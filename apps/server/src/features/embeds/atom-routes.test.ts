import { embedPaths } from '@astropelago/contract/embeds'
import { describe, expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import { newSlug } from '../../test/api-islands.ts'
import { createTestApp, shareTestApp } from '../../test/create-test-app.ts'
import { insertDevice, insertIsland } from '../../test/factories.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { feedLength, writeFeed } from './atom-routes.ts'
import { cachedForMs } from './cached-answers.ts'
import { readAtom } from './testing/read-atom.ts'

const hourMs = 3_600_000
const noonMs = Date.UTC(2026, 0, 31, 12)
const publicUrl = 'https://islands.example'
/** Now is noon. */
const options = { clock: movableClock(noonMs), config: { publicUrl, hasPublicUrl: true } }
const at = (agoMs: number) => new Date(noonMs - agoMs).toISOString()

interface Told {
  /** How long ago it came online, then went offline, and so on. */
  readonly flipsMs: readonly number[]
  /** How long ago it became public. */
  readonly publicMs?: number
}

/** A device that flipped at these times. It is inserted behind memory's back. */
async function setUp({ flipsMs, publicMs = 100 * dayMs }: Told, made = shareTestApp(options)) {
  const app = await made
  const { db } = app.storage
  const key = await insertDevice(db)
  const { id } = await db
    .updateTable('devices')
    .set({ label: 'Roof "1" <Pi> & more', public_since_ms: noonMs - publicMs })
    .where('key', '=', key)
    .returning('id')
    .executeTakeFirstOrThrow()
  const isOnline = flipsMs.length % 2
  for (const [i, ms] of flipsMs.entries()) {
    const status = i % 2 === 0 ? ('online' as const) : ('offline' as const)
    const flip = { device_key: key, status, at_ms: noonMs - ms }
    await db.insertInto('presence_events').values(flip).execute()
  }
  if (flipsMs.length > 0) {
    const lastMs = noonMs - (isOnline ? 0 : (flipsMs.at(-1) ?? 0))
    await db
      .insertInto('presence')
      .values({ device_key: key, last_seen_ms: lastMs, is_online: isOnline })
      .execute()
  }
  const url = embedPaths.deviceFeed(id)
  const feed = async () => readAtom((await app.inject({ url })).body)
  const ask = (headers: Record<string, string> = {}) => app.inject({ url, headers })
  return { ...app, db, key, id, url, feed, ask }
}

describe('a device’s feed', () => {
  test('is valid Atom with any label', async () => {
    const { feed, id } = await setUp({ flipsMs: [3 * hourMs, 2 * hourMs, hourMs] })
    const label = 'Roof "1" <Pi> & more'
    const day = '2026-01-31'
    const tagOf = (ms: number, status: string) =>
      `tag:islands.example,${day}:${id}/${status}/${noonMs - ms}`
    expect(await feed()).toEqual({
      id: `urn:uuid:${id}`,
      title: `${label}: online and offline`,
      updated: at(hourMs),
      self: `${publicUrl}/feeds/${id}/status.atom`,
      page: `${publicUrl}/devices/${id}`,
      entries: [
        { id: tagOf(hourMs, 'online'), title: `${label} came online`, updated: at(hourMs) },
        {
          id: tagOf(2 * hourMs, 'offline'),
          title: `${label} went offline`,
          updated: at(2 * hourMs),
        },
        { id: tagOf(3 * hourMs, 'online'), title: `${label} came online`, updated: at(3 * hourMs) },
      ],
    })
  })

  test('has the last 50 events of 90 days', async () => {
    const old = [95 * dayMs, 94 * dayMs]
    const many = Array.from({ length: 61 }, (_, i) => (61 - i) * hourMs)
    expect((await (await setUp({ flipsMs: [...old, 2 * hourMs] })).feed()).entries).toHaveLength(1)
    const { entries } = await (await setUp({ flipsMs: many })).feed()
    expect([entries.length, entries[0]?.updated]).toEqual([feedLength, at(hourMs)])
  })

  test('[H6] EM7 has nothing from before the device was public', async () => {
    const flipsMs = [3 * hourMs, 2 * hourMs, hourMs]
    const { feed, ask } = await setUp({ flipsMs, publicMs: 1.5 * hourMs })
    const { entries, updated } = await feed()
    expect([entries.map((entry) => entry.updated), updated]).toEqual([[at(hourMs)], at(hourMs)])
    expect((await ask()).body).not.toContain(at(2 * hourMs))
    const silent = await setUp({ flipsMs, publicMs: 0.5 * hourMs })
    expect(await silent.feed()).toMatchObject({ entries: [], updated: at(0.5 * hourMs) })
  })

  test('EM7 S54 a device that not everybody may see is answered like a missing one at once', async () => {
    const { db, key, ask, clock, inject } = await setUp(
      { flipsMs: [hourMs] },
      createTestApp({ ...options, clock: movableClock(noonMs) }),
    )
    expect((await ask()).statusCode).toBe(200)
    await db
      .updateTable('devices')
      .set({ visibility: 'private', public_since_ms: null })
      .where('key', '=', key)
      .execute()
    clock.move(cachedForMs)
    const url = embedPaths.deviceFeed('00000000-0000-4000-8000-000000000000')
    const [hidden, missing] = [await ask(), await inject({ url })]
    expect([hidden.statusCode, hidden.body]).toEqual([404, missing.body])
  })

  test('is not sent again to a client that has it', async () => {
    const { ask } = await setUp({ flipsMs: [2 * hourMs, hourMs] })
    const { headers } = await ask()
    expect(headers).toMatchObject({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'last-modified': 'Sat, 31 Jan 2026 11:00:00 GMT',
    })
    const statusOf = async (sent: Record<string, string>) => (await ask(sent)).statusCode
    const etag = `${headers['etag']}`
    expect(await statusOf({ 'if-none-match': etag })).toBe(304)
    const same = { 'if-modified-since': 'Sat, 31 Jan 2026 11:00:00 GMT' }
    expect(await statusOf(same)).toBe(304)
    expect(await statusOf({ 'if-modified-since': 'Sat, 31 Jan 2026 10:59:59 GMT' })).toBe(200)
    expect(await statusOf({ 'if-modified-since': 'yesterday' })).toBe(200)
    // An ETag takes precedence over a time.
    expect(await statusOf({ ...same, 'if-none-match': '"x"' })).toBe(200)
  })

  test('EM5 follows a flip at once', async () => {
    const app = await createTestApp()
    const owner = await app.signUp()
    const { id } = await registerTestDevice(owner, { label: 'Roof' })
    const { token } = await createTestToken(owner, id)
    const url = embedPaths.deviceFeed(id)
    const titles = async () =>
      readAtom((await app.inject({ url })).body).entries.map(({ title }) => title)
    expect(await titles()).toEqual([])
    await sendHeartbeat(app, token)
    await expect.poll(titles).toEqual(['Roof came online'])
  })
})

/**
 * An island that opened, closed, was not observed and opened again, for an hour each, until now, at noon.
 */
async function setUpIsland({ knownMs }: { readonly knownMs: number }) {
  const app = await shareTestApp(options)
  const { db } = app.storage
  // It is inserted behind memory's back, so that nothing else writes its history.
  const { key, id } = await insertIsland(db, { access: 'public' })
  const slug = newSlug()
  await db.updateTable('islands').set({ slug }).where('key', '=', key).execute()
  const kinds = ['open', 'closed', 'unobserved', 'open'] as const
  for (const [i, kind] of kinds.entries()) {
    const event = { island_key: key, at_ms: noonMs - (4 - i) * hourMs, kind }
    await db.insertInto('island_events').values(event).execute()
  }
  const since = { island_key: key, members_ms: null, users_ms: null }
  await db
    .insertInto('island_visible_since')
    .values({ ...since, everybody_ms: noonMs - knownMs })
    .execute()
  return { ...app, db, key, id, slug, url: embedPaths.islandFeed(slug) }
}

describe('an island’s feed', () => {
  test('says when the island opened and closed', async () => {
    const { inject, url, id, slug } = await setUpIsland({ knownMs: 5 * hourMs })
    const { entries, ...feed } = readAtom((await inject({ url })).body)
    expect(feed).toEqual({
      id: `urn:uuid:${id}`,
      title: 'Harbor Bar: open and closed',
      updated: at(hourMs),
      self: publicUrl + url,
      page: `${publicUrl}/islands/${slug}`,
    })
    expect(entries.map(({ title, updated }) => [title, updated])).toEqual([
      ['Harbor Bar opened', at(hourMs)],
      ['Harbor Bar closed', at(3 * hourMs)],
      ['Harbor Bar opened', at(4 * hourMs)],
    ])
  })

  test('[HI4] EM7 has nothing from times in which not everybody could see the island', async () => {
    const { inject, url } = await setUpIsland({ knownMs: 3.5 * hourMs })
    const { entries } = readAtom((await inject({ url })).body)
    expect(entries.map(({ updated }) => updated)).toEqual([at(hourMs), at(3 * hourMs)])
  })

  test.each(['members', 'invited'] as const)(
    'EM7 S54 of an island for %s is answered like a missing one, for every caller',
    async (access) => {
      const { inject, url, db, key, signUp } = await setUpIsland({ knownMs: 5 * hourMs })
      await db.updateTable('islands').set({ access }).where('key', '=', key).execute()
      const missing = await inject({ url: embedPaths.islandFeed('nowhere') })
      for (const browser of [{ inject }, await signUp()]) {
        const answer = await browser.inject({ url })
        expect([answer.statusCode, answer.body]).toEqual([404, missing.body])
      }
    },
  )
})

test('EM2 a feed omits characters that XML does not allow, and has ids without a host name', () => {
  const feed = readAtom(
    writeFeed({
      id: '8c0e3a52-0000-4000-8000-000000000000',
      title: `\uFFFE\uFFFF</title><entry>]]>'"&`,
      author: 'Sky & Sea',
      selfUrl: 'http://[::1]:3000/feeds/x/status.atom?a="&b=<',
      pageUrl: 'http://[::1]:3000/devices/x',
      sinceMs: 0,
      entries: [{ atMs: noonMs, kind: 'online', title: 'x' }],
    }),
  )
  expect(feed.title).toBe(`\uFFFD\uFFFD</title><entry>]]>'"&`)
  expect(feed.self).toBe('http://[::1]:3000/feeds/x/status.atom?a="&b=<')
  expect(feed.entries[0]?.id).toMatch(/^tag:localhost,2026-01-31:/)
})
