import { reportsPerDay } from '@astropelago/contract/limits'
import { listReports, type NewReport } from '@astropelago/contract/reports'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../../test/api-devices.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { createOperatorApp, shareOperatorApp } from '../../test/operator-app.ts'

async function setUp(made = shareOperatorApp()) {
  const testApp = await made
  const { inject, operator } = testApp
  const [owner, reporter] = [await testApp.signUp(), await testApp.signUp()]
  const link = 'https://a.example/'
  const device = await registerTestDevice(owner, { label: 'Rook', link })
  const report = (by: TestBrowser, details: Partial<NewReport> = {}) =>
    by.inject({
      method: 'POST',
      url: '/api/reports',
      payload: { kind: 'device', id: device.id, reason: 'spam', ...details },
    })
  const hidden = `/api/operator/hidden/device/${device.id}`
  const listed = async (query: string) => {
    const response = await operator.inject({ url: `/api/operator/reports${query}` })
    return v.parse(listReports.answers[200], response.json())
  }
  const { openCount: openBefore } = await listed('')
  // The public list is made anew once a second.
  testApp.clock.move(1000)
  return {
    ...testApp,
    owner,
    reporter,
    device,
    report,
    hide: (reason = 'It shows where somebody lives.') =>
      operator.inject({ method: 'POST', url: hidden, payload: { reason } }),
    show: () => operator.inject({ method: 'DELETE', url: hidden }),
    dismiss: () =>
      operator.inject({
        method: 'POST',
        url: `/api/operator/reports/device/${device.id}/dismiss`,
      }),
    /** Those of this owner's things. */
    cases: async (query = '') => {
      const { cases, openCount, hasMore } = await listed(query)
      const own = cases.filter(({ reportedAs }) => reportedAs.author === owner.username)
      return { cases: own, openCount: openCount - openBefore, hasMore }
    },
    /** The device's label, if everybody sees it. */
    publicLabels: async () => {
      const devices: { id: string; label: string }[] = (
        await inject({ url: '/api/devices' })
      ).json()
      return devices.filter(({ id }) => id === device.id).map(({ label }) => label)
    },
  }
}

describe('reporting', () => {
  test('the operator sees a report with its subject, author and reporter', async () => {
    const { clock, owner, reporter, device, report, cases } = await setUp()
    const sent = await report(reporter, { reason: 'other', text: ' It \u202Eposes\r\nas mine ' })
    expect(sent.statusCode).toBe(204)
    const { cases: found, openCount, hasMore } = await cases()
    expect({ openCount, hasMore }).toEqual({ openCount: 1, hasMore: false })
    const seen = { name: 'Rook', link: 'https://a.example/', author: owner.username }
    expect(found).toEqual([
      {
        id: expect.any(String),
        subject: { kind: 'device', id: device.id },
        thing: { ...seen, isPublic: true, hidden: null },
        reportedAs: seen,
        count: 1,
        reports: [
          {
            reason: 'other',
            text: 'It poses\nas mine',
            reporter: reporter.username,
            at: new Date(clock.now()).toISOString(),
          },
        ],
        settled: null,
      },
    ])
  })

  test('the operator sees the subject as it was when it was reported', async () => {
    const { owner, reporter, device, report, cases } = await setUp()
    await report(reporter)
    const url = `/api/devices/${device.id}`
    const change = { label: 'Innocent', link: null, visibility: 'private' }
    await owner.inject({ method: 'PATCH', url, payload: change })
    expect((await cases()).cases).toMatchObject([
      { reportedAs: { name: 'Rook' }, thing: { name: 'Innocent', isPublic: false } },
    ])
    await owner.inject({ method: 'DELETE', url })
    expect((await cases()).cases).toMatchObject([{ reportedAs: { name: 'Rook' }, thing: null }])
  })

  test('S54 reporting an own or invisible subject is answered as if it did not exist', async () => {
    const { owner, reporter, device, report, hide } = await setUp()
    const secret = await registerTestDevice(owner, { visibility: 'private' })
    await hide()
    const missing = await report(reporter, { id: crypto.randomUUID() })
    expect(missing.json()).toMatchObject({ code: 'not_found' })
    for (const [by, id] of [
      [reporter, secret.id],
      [reporter, device.id],
      [owner, secret.id],
    ] as const) {
      const refused = await report(by, { id })
      expect(refused.statusCode).toBe(404)
      expect(refused.body).toBe(missing.body)
    }
  })

  test('S52 a user has one open report of a subject, and a number of reports a day', async () => {
    const { clock, owner, reporter, report, dismiss } = await setUp(createOperatorApp())
    await report(reporter)
    expect((await report(reporter)).json()).toMatchObject({ code: 'already_reported' })
    for (let sent = 1; sent < reportsPerDay; sent += 1) {
      const { id } = await registerTestDevice(owner)
      expect((await report(reporter, { id })).statusCode).toBe(204)
    }
    await dismiss()
    expect((await report(reporter)).json()).toMatchObject({ code: 'report_limit' })
    clock.move(86_400_000)
    expect((await report(reporter)).statusCode).toBe(204)
  })

  test.each([
    ['another kind', { kind: 'planet' }],
    ['another reason', { reason: 'envy' }],
    ['no word beside “other”', { reason: 'other', text: ' \n\u200B ' }],
    ['too many words', { text: 'a'.repeat(1001) }],
    ['control characters', { text: 'a\u0007' }],
    ['something else beside', { extra: 1 }],
  ])('%s is refused', async (_, details) => {
    const { reporter, device, inject } = await setUp()
    const payload = { kind: 'device', id: device.id, reason: 'spam', ...details }
    const request = { method: 'POST', url: '/api/reports', payload } as const
    expect((await reporter.inject(request)).json()).toMatchObject({ code: 'invalid_input' })
    expect((await inject(request)).statusCode).toBe(401)
  })

  test('S9 demo accounts can’t report', async () => {
    const { inject, device, cases } = await setUp()
    const { cookies } = await inject({ method: 'POST', url: '/api/auth/demo' })
    const refused = await inject({
      method: 'POST',
      url: '/api/reports',
      payload: { kind: 'device', id: device.id, reason: 'spam' },
      cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])),
    })
    expect(refused.json()).toMatchObject({ code: 'demo_account' })
    expect((await cases()).openCount).toBe(0)
  })
})

describe('hiding', () => {
  test('S57 a hidden device disappears from everything public at once, and its reports are settled', async () => {
    const { inject, reporter, device, report, hide, cases, publicLabels } = await setUp()
    await report(reporter)
    const url = `/api/devices/${device.id}`
    expect(await publicLabels()).toEqual(['Rook'])
    const missing = await inject({ url: `/api/devices/${crypto.randomUUID()}` })

    expect((await hide()).statusCode).toBe(204)
    expect(await publicLabels()).toEqual([])
    for (const asked of [await inject({ url }), await reporter.inject({ url })]) {
      expect(asked.body).toBe(missing.body)
    }
    expect((await cases()).openCount).toBe(0)
    const { cases: settled } = await cases('?state=settled')
    expect(settled).toMatchObject([{ settled: { outcome: 'hidden' }, thing: { isPublic: true } }])
  })

  test('the owner sees that it is hidden and why, can change and use it, and cannot show it', async () => {
    const app = await setUp()
    const { clock, owner, device, hide, publicLabels } = app
    const { token } = await createTestToken(owner, device.id)
    await hide('Your label\nis rude.')
    const at = new Date(clock.now()).toISOString()
    expect(await listOwnDevices(owner)).toMatchObject([
      { hidden: { at, reason: 'Your label\nis rude.' }, visibility: 'public' },
    ])
    for (const visibility of ['private', 'public']) {
      const payload = { label: 'Nice', visibility }
      const url = `/api/devices/${device.id}`
      const changed = await owner.inject({ method: 'PATCH', url, payload })
      expect(changed.json()).toMatchObject({ label: 'Nice', hidden: { at } })
      expect(await publicLabels()).toEqual([])
    }
    expect(await sendHeartbeat(app, token)).toBe(204)
    expect(await publicLabels()).toEqual([])
    expect(await listOwnDevices(owner)).toMatchObject([{ status: 'online' }])
  })

  test('a device that is shown again is as its owner wants it', async () => {
    const { owner, device, hide, show, publicLabels } = await setUp()
    await hide()
    expect((await show()).statusCode).toBe(204)
    expect(await publicLabels()).toEqual(['Rook'])
    expect(await listOwnDevices(owner)).toMatchObject([{ hidden: null }])

    await hide()
    const payload = { visibility: 'private' }
    await owner.inject({ method: 'PATCH', url: `/api/devices/${device.id}`, payload })
    await show()
    expect(await publicLabels()).toEqual([])
  })

  test('a deleted device can’t be hidden, and hiding needs a reason', async () => {
    const { owner, device, hide, show } = await setUp()
    expect((await hide(' \n ')).json()).toMatchObject({ code: 'invalid_input' })
    await owner.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
    expect((await hide()).statusCode).toBe(404)
    expect((await show()).statusCode).toBe(404)
  })
})

test('dismissing reports leaves their subject as it is, and works once', async () => {
  const { reporter, report, dismiss, cases, publicLabels } = await setUp()
  await report(reporter)
  expect((await dismiss()).statusCode).toBe(204)
  expect((await dismiss()).statusCode).toBe(404)
  expect(await publicLabels()).toEqual(['Rook'])
  const { cases: settled } = await cases('?state=settled')
  expect(settled).toMatchObject([{ settled: { outcome: 'dismissed' }, thing: { hidden: null } }])
})

test('an account’s export contains its reports, and its deletion says what happens to them', async () => {
  const { reporter, device, report, hide } = await setUp()
  await report(reporter, { text: 'Every day' })
  await hide()
  const exported = (await reporter.inject({ url: '/api/me/export' })).json()
  expect(exported).toMatchObject({
    reports: [
      { kind: 'device', id: device.id, reason: 'spam', text: 'Every day', outcome: 'hidden' },
    ],
  })
  const own: { kind: string }[] = (await reporter.inject({ url: '/api/me/data' })).json()
  expect(own.find(({ kind }) => kind === 'reports')).toEqual({
    kind: 'reports',
    count: 1,
    text: '1 report, kept without your name until settled',
  })
})

test('the list comes a page at a time', async () => {
  const { owner, reporter, report, cases } = await setUp(createOperatorApp())
  const ids = ['first', 'second', 'third']
  for (const label of ids) {
    await report(reporter, { id: (await registerTestDevice(owner, { label })).id })
  }
  const page = await cases('?limit=2')
  expect(page.hasMore).toBe(true)
  const rest = await cases(`?limit=2&after=${page.cases.at(-1)?.id}`)
  expect(rest).toMatchObject({ hasMore: false, openCount: 3 })
  const names = [...page.cases, ...rest.cases].map(({ reportedAs }) => reportedAs.name)
  expect(names).toEqual(['third', 'second', 'first'])
})

test('S59 the audit log contains everything that an operator does to a report', async () => {
  const { operator, reporter, device, report, hide, show, dismiss } = await setUp()
  await report(reporter)
  await dismiss()
  await hide('Rude')
  await show()
  const subject = `device:${device.id}`
  const { entries } = (
    await operator.inject({ url: `/api/operator/audit?subject=${subject}` })
  ).json()
  const common = { actor: `operator:${operator.username}`, subject, outcome: 'done' }
  expect(entries).toMatchObject([
    { ...common, action: 'device.shown' },
    { ...common, action: 'device.hidden', details: { reason: 'Rude' } },
    { ...common, action: 'reports.dismissed' },
  ])
})
