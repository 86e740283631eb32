import { notesPerDay, signalsPerDay } from '@astropelago/contract/limits'
import type { LogEntry } from '@astropelago/contract/island-log'
import type { AccessPolicy } from '@astropelago/contract/islands'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../../test/api-devices.ts'
import {
  joinTestIsland,
  leaveTestNote,
  publishTestIsland,
  sendTestSignal,
} from '../../../test/api-islands.ts'
import type { TestBrowser } from '../../../test/create-test-app.ts'
import { createOperatorApp, operatorOptions, shareOperatorApp } from '../../../test/operator-app.ts'

const dayMs = 86_400_000
/** Of a server whose clock moves by days. */
const overDays = { ...operatorOptions }

async function setUp(
  access: AccessPolicy = 'public',
  open: () => ReturnType<typeof shareOperatorApp> = shareOperatorApp,
) {
  const testApp = await open()
  const { inject, clock, operator, signUp } = testApp
  const [host, ada] = [await signUp(), await signUp()]
  const island = await publishTestIsland(host, { access, isListed: true })
  const url = `/api/islands/${island.id}`
  const log = async (by: Pick<TestBrowser, 'inject'> = { inject }, query = '') => {
    const response = await by.inject({ url: `${url}/log${query}` })
    return response.json<{ entries: LogEntry[]; next: string | null }>()
  }
  return {
    ...testApp,
    host,
    ada,
    island,
    url,
    now: () => new Date(clock.now()).toISOString(),
    log,
    texts: async (by?: TestBrowser) => (await log(by)).entries.map(({ text }) => text),
    post: (by: TestBrowser, path: 'notes' | 'signals', payload: object) =>
      by.inject({ method: 'POST', url: `${url}/${path}`, payload }),
    remove: (by: TestBrowser, id: string) =>
      by.inject({ method: 'DELETE', url: `/api/islands/log/${id}` }),
    setHidden: (id: string, reason: string | null) =>
      operator.inject({
        method: reason === null ? 'DELETE' : 'POST',
        url: `/api/operator/hidden/log-entry/${id}`,
        ...(reason !== null && { payload: { reason } }),
      }),
  }
}

describe('reading', () => {
  test('users who may enter read notes and signals, newest first; only members see who joined', async () => {
    const { host, ada, island, clock, now, log } = await setUp()
    await joinTestIsland(ada, island.id)
    clock.move(1)
    const note = await leaveTestNote(ada, island.id, ' Nice\r\nplace\u202E ')
    clock.move(1)
    const eventAt = '2030-01-31T12:00:00.000Z'
    await sendTestSignal(host, island.id, { text: 'A party', eventAt })
    const seen = await log()
    const common = { authorAvatar: null, eventAt: null, mayDelete: false, hidden: null }
    expect(seen).toEqual({
      entries: [
        {
          ...common,
          id: expect.any(String),
          kind: 'signal',
          at: now(),
          author: host.username,
          text: 'A party',
          eventAt,
        },
        {
          ...common,
          id: note.id,
          kind: 'note',
          at: note.at,
          author: ada.username,
          text: 'Nice\nplace',
        },
        {
          ...common,
          id: expect.any(String),
          kind: 'joined',
          at: expect.any(String),
          author: null,
          text: null,
        },
      ],
      next: null,
    })
    const ofAda = await log(ada)
    expect(ofAda.entries.map(({ author, mayDelete }) => [author, mayDelete])).toEqual([
      [host.username, false],
      [ada.username, true],
      [ada.username, false],
    ])
    const ofHost = await log(host)
    expect(ofHost.entries.map(({ mayDelete }) => mayDelete)).toEqual([true, true, false])
  })

  test('S54 users who may see an island but not enter it get the answer for a missing one', async () => {
    const { ada, inject, signUp, island, url } = await setUp('invited')
    const missing = await ada.inject({ url: `/api/islands/${crypto.randomUUID()}/log` })
    expect(missing.statusCode).toBe(404)
    for (const by of [{ inject }, ada, await signUp()]) {
      expect((await by.inject({ url: `${url}/log` })).body).toBe(missing.body)
    }
    expect(await joinTestIsland(ada, island.id)).toBe('asked')
    expect((await ada.inject({ url: `${url}/log` })).statusCode).toBe(404)
  })

  test('it comes a page at a time; an invalid position is refused', async () => {
    const { host, island, log, clock, url } = await setUp('public', () =>
      shareOperatorApp(overDays),
    )
    for (let at = 0; at < 30; at += 1) {
      await sendTestSignal(host, island.id, { text: `${at}` })
      clock.move(dayMs / 10)
    }
    expect(await log()).toMatchObject({ next: null })
    await sendTestSignal(host, island.id, { text: '30' })
    const { entries, next } = await log()
    expect(entries).toHaveLength(30)
    const rest = await log(host, `?after=${next}`)
    expect(rest).toMatchObject({ entries: [{ text: '0' }], next: null })
    const refused = await host.inject({ url: `${url}/log?after=elsewhere` })
    expect(refused.json()).toMatchObject({ code: 'invalid_input' })
  })
})

describe('writing', () => {
  test('only visitors leave notes, and only the host sends signals', async () => {
    const { host, ada, inject, url, post, texts } = await setUp()
    expect((await post(ada, 'notes', { text: 'Hi' })).statusCode).toBe(201)
    expect((await post(host, 'signals', { text: 'Ho' })).statusCode).toBe(201)
    expect((await post(host, 'notes', { text: 'no' })).statusCode).toBe(404)
    expect((await post(ada, 'signals', { text: 'no' })).statusCode).toBe(404)
    const signedOut = { method: 'POST', url: `${url}/notes`, payload: { text: 'no' } } as const
    expect((await inject(signedOut)).statusCode).toBe(401)
    expect(await texts()).toEqual(['Ho', 'Hi'])
  })

  test.each([
    ['no text', 'notes', { text: ' \n\u200B' }],
    ['a long text', 'notes', { text: 'a'.repeat(501) }],
    ['control characters', 'notes', { text: 'a\u0000' }],
    ['no time', 'signals', { text: 'a', eventAt: 'soon' }],
    ['a time on a note', 'notes', { text: 'a', eventAt: '2030-01-31T12:00:00Z' }],
  ] as const)('%s is refused', async (_, path, payload) => {
    const { host, ada, post } = await setUp()
    const refused = await post(path === 'notes' ? ada : host, path, payload)
    expect(refused.json()).toMatchObject({ code: 'invalid_input' })
  })

  test('S9 demo accounts leave no notes and send no signals', async () => {
    const { inject, url, texts, island } = await setUp()
    const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const demo = Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
    for (const path of ['notes', 'signals']) {
      const post = { method: 'POST', url: `${url}/${path}`, payload: { text: 'Hi' } } as const
      const refused = await inject({ ...post, cookies: demo })
      expect(refused.json()).toMatchObject({ code: 'demo_account' })
    }
    const front = await inject({ url: `/api/islands/by-slug/${island.slug}`, cookies: demo })
    expect(front.json()).toMatchObject({
      role: 'guest',
      mayEnter: true,
      mayJoin: false,
      mayNote: false,
    })
    expect(await texts()).toEqual([])
  })

  test('S52 the number a day is limited; the answer says when the next one is possible', async () => {
    const { host, ada, clock, post } = await setUp('public', () => shareOperatorApp(overDays))
    for (const [by, path, max, code] of [
      [ada, 'notes', notesPerDay, 'note_limit'],
      [host, 'signals', signalsPerDay, 'signal_limit'],
    ] as const) {
      await post(by, path, { text: 'first' })
      clock.move(10_000)
      for (let sent = 1; sent < max; sent += 1) await post(by, path, { text: 'a' })
      const refused = await post(by, path, { text: 'a' })
      expect(refused.json()).toMatchObject({ code })
      expect(refused.statusCode).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBe(dayMs / 1000 - 10)
      clock.move(dayMs - 10_000)
      expect((await post(by, path, { text: 'a' })).statusCode).toBe(201)
    }
  })
})

describe('deleting', () => {
  test('S52 deleting an entry does not raise what is left of the day’s limit', async () => {
    const { host, ada, post, remove, clock } = await setUp('public', () =>
      shareOperatorApp(overDays),
    )
    for (const [by, path, max, code] of [
      [ada, 'notes', notesPerDay, 'note_limit'],
      [host, 'signals', signalsPerDay, 'signal_limit'],
    ] as const) {
      for (let sent = 0; sent < max; sent += 1) {
        const { id } = (await post(by, path, { text: 'a' })).json<{ id: string }>()
        expect((await remove(by, id)).statusCode).toBe(204)
      }
      const refused = await post(by, path, { text: 'a' })
      expect([refused.statusCode, refused.json().code]).toEqual([429, code])
      expect(Number(refused.headers['retry-after'])).toBe(dayMs / 1000)
      clock.move(dayMs)
      expect((await post(by, path, { text: 'a' })).statusCode).toBe(201)
    }
  })

  test('authors delete their own entries, and the host deletes notes and signals of everybody', async () => {
    const { host, ada, signUp, island, log, remove, texts } = await setUp()
    const bob = await signUp()
    await joinTestIsland(ada, island.id)
    const notes = [
      await leaveTestNote(ada, island.id, 'a'),
      await leaveTestNote(ada, island.id, 'b'),
    ]
    const signal = await sendTestSignal(host, island.id)
    const [first, second] = notes.map(({ id }) => id)
    const missing = await remove(ada, crypto.randomUUID())
    for (const [by, id] of [
      [bob, first],
      [ada, signal.id],
      [host, (await log()).entries.find(({ kind }) => kind === 'joined')?.id],
    ] as const) {
      expect((await remove(by, id ?? '')).body).toBe(missing.body)
    }
    for (const [by, id] of [
      [ada, first],
      [host, second],
      [host, signal.id],
    ] as const) {
      expect((await remove(by, id ?? '')).statusCode).toBe(204)
    }
    expect(await texts()).toEqual([null])
  })
})

describe('reports', () => {
  test('S57 only its author and the host see a note that an operator hides, and read why', async () => {
    const { host, ada, signUp, operator, island, log, texts, setHidden, now } = await setUp()
    const bob = await signUp()
    const { id } = await leaveTestNote(ada, island.id, `Rude ${'words '.repeat(30)}`)
    const report = { kind: 'log-entry', id, reason: 'abuse' }
    const send = (by: TestBrowser) =>
      by.inject({ method: 'POST', url: '/api/reports', payload: report })
    expect((await send(ada)).statusCode).toBe(404)
    expect((await send(bob)).statusCode).toBe(204)
    const { cases } = (await operator.inject({ url: '/api/operator/reports' })).json()
    expect(cases).toMatchObject([
      { subject: { kind: 'log-entry', id }, thing: { author: ada.username, isPublic: true } },
    ])
    expect(cases[0].thing.name).toMatch(/^Rude words .*…$/)
    expect(Array.from(cases[0].thing.name)).toHaveLength(80)

    expect((await setHidden(id, 'It is rude.')).statusCode).toBe(204)
    expect(await texts()).toEqual([])
    expect(await texts(bob)).toEqual([])
    expect((await send(bob)).statusCode).toBe(404)
    for (const by of [ada, host]) {
      const { entries } = await log(by)
      expect(entries).toMatchObject([{ id, hidden: { at: now(), reason: 'It is rude.' } }])
    }
    expect((await setHidden(id, null)).statusCode).toBe(204)
    expect(await texts()).toHaveLength(1)
    expect((await setHidden(crypto.randomUUID(), 'Gone')).statusCode).toBe(404)
  })

  test('S54 a user can’t report entries of a log that the user may not read', async () => {
    const { host, ada, island } = await setUp('invited')
    const { id } = await sendTestSignal(host, island.id)
    const payload = { kind: 'log-entry', id, reason: 'spam' }
    const refused = await ada.inject({ method: 'POST', url: '/api/reports', payload })
    expect(refused.statusCode).toBe(404)
  })
})

test('an account’s export has the user’s entries, with slugs only of islands that the user may see', async () => {
  const { host, ada, island, clock } = await setUp()
  await leaveTestNote(ada, island.id, 'Nice')
  const own = async () => (await ada.inject({ url: '/api/me/export' })).json().logEntries
  const note = { kind: 'note', text: 'Nice', writtenAt: new Date(clock.now()).toISOString() }
  expect(await own()).toEqual([{ island: island.slug, ...note }])
  const payload = { access: 'invited', isListed: false }
  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/publish`, payload })
  expect(await own()).toEqual([{ island: null, ...note }])
})

describe('openings', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('once its carrier has stayed online, the log says since when the island is open', async () => {
    const app = await setUp('public', createOperatorApp)
    const { host, island, clock, now, log } = app
    const device = await registerTestDevice(host)
    const { token } = await createTestToken(host, device.id)
    const url = `/api/islands/${island.id}`
    await host.inject({ method: 'PATCH', url, payload: { carrier: device.id } })
    clock.move(1000)
    const openedAt = now()
    await sendHeartbeat(app, token)
    clock.move(60_000)
    await vi.waitFor(
      async () => {
        await vi.advanceTimersByTimeAsync(5000)
        const { entries } = await log()
        expect(entries).toMatchObject([{ kind: 'opened', at: openedAt, author: null, text: null }])
      },
      { timeout: 15_000 },
    )
  })
})
