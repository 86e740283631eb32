import type { Maintenance, NewMaintenance } from '@astropelago/contract/alert-maintenance'
import type { SubjectRulesChanges } from '@astropelago/contract/alert-rules'
import type { OwnAlerts, SubjectAlerts } from '@astropelago/contract/alerts'
import { alertMaintenanceSubjectsMax, alertMaintenancesPerUser } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { createTestChannel } from '../../test/api-channels.ts'
import { registerTestDevice } from '../../test/api-devices.ts'
import { createTestApp, type TestBrowser } from '../../test/create-test-app.ts'
import { insertCheck } from '../../test/factories.ts'
import { pastMainThreadBudgetMs, processorMs } from '../../test/main-thread-budget.ts'

const dayMs = 86_400_000

async function setUp() {
  const testApp = await createTestApp()
  const [ada, eve] = [await testApp.signUp(), await testApp.signUp()]
  const device = await registerTestDevice(ada)
  const url = `/api/me/alerts/devices/${device.id}`
  return {
    ...testApp,
    ada,
    eve,
    device,
    read: async () => (await ada.inject({ url })).json<SubjectAlerts>(),
    change: (payload: SubjectRulesChanges, browser: TestBrowser = ada) =>
      browser.inject({ method: 'PATCH', url, payload }),
    plan: (payload: Partial<NewMaintenance>, browser: TestBrowser = ada) =>
      browser.inject({
        method: 'POST',
        url: '/api/me/alerts/maintenance',
        payload: { until: at(testApp.clock.now() + dayMs), ...payload },
      }),
    end: (id: string, browser: TestBrowser = ada) =>
      browser.inject({ method: 'DELETE', url: `/api/me/alerts/maintenance/${id}` }),
    own: async () => (await ada.inject({ url: '/api/me/alerts' })).json<OwnAlerts>(),
  }
}

function at(ms: number): string {
  return new Date(ms).toISOString()
}

const same = { isOn: null, graceS: null, tellsOnline: null, tellsWarnings: null, channels: null }

test('[N14] rules of a device change one by one, and are deleted when none differs', async () => {
  const { ada, device, read, change, own } = await setUp()
  expect(await read()).toEqual({ rules: same, isOn: true, maintenance: [] })
  expect((await change({ graceS: 60, isOn: false })).json()).toMatchObject({ isOn: false })
  expect((await change({ isOn: null })).json()).toEqual({
    rules: { ...same, graceS: 60 },
    isOn: true,
    maintenance: [],
  })
  expect((await own()).differing).toEqual([
    { of: 'device', id: device.id, slug: null, name: device.label, rules: { ...same, graceS: 60 } },
  ])
  await change({ graceS: null })
  expect((await own()).differing).toEqual([])
  await ada.inject({ method: 'PATCH', url: '/api/me/alerts', payload: { isOn: false } })
  await change({ isOn: true })
  expect(await read()).toMatchObject({ rules: { isOn: true }, isOn: false })
})

test('AL1 only its owner changes the rules of a device, and only to the owner’s channels', async () => {
  const { ada, eve, read, change } = await setUp()
  expect((await change({ isOn: false }, eve)).statusCode).toBe(404)
  const [mine, theirs] = [await createTestChannel(ada), await createTestChannel(eve)]
  expect((await change({ channels: [mine.id] })).statusCode).toBe(200)
  for (const channels of [[theirs.id], [mine.id, 'none'], [], [mine.id, mine.id]]) {
    expect((await change({ channels })).json()).toMatchObject({ code: 'invalid_input' })
    const payload = { channels }
    const all = await ada.inject({ method: 'PATCH', url: '/api/me/alerts', payload })
    expect(all.json()).toMatchObject({ code: 'invalid_input' })
  }
  expect((await read()).rules).toEqual({ ...same, channels: [mine.id] })
})

test('AL1 maintenance is for own devices, and only its planner ends it', async () => {
  const { clock, eve, device, read, plan, end, own } = await setUp()
  expect((await plan({ devices: [device.id] }, eve)).statusCode).toBe(404)
  expect((await plan({ devices: [device.id, 'none'] })).statusCode).toBe(404)
  expect((await plan({ islands: ['none'] })).statusCode).toBe(404)
  const from = clock.now() + dayMs
  const planned = await plan({
    from: at(from),
    until: at(from + 1),
    devices: [device.id],
    note: ' moving ',
  })
  expect(planned.statusCode).toBe(201)
  const all = (await plan({})).json<Maintenance>()
  expect(planned.json()).toEqual({
    id: expect.any(String),
    from: at(from),
    until: at(from + 1),
    devices: [device.id],
    islands: null,
    checks: null,
    note: 'moving',
  })
  expect(await read()).toMatchObject({ maintenance: [all, planned.json()] })
  expect((await own()).maintenance).toEqual([all, planned.json()])
  expect((await end(all.id, eve)).statusCode).toBe(404)
  expect((await end(all.id)).statusCode).toBe(204)
  expect((await end(all.id)).statusCode).toBe(404)
  expect((await own()).maintenance).toEqual([planned.json()])
  clock.move(2 * dayMs)
  expect((await own()).maintenance).toEqual([])
  expect((await end(planned.json().id)).statusCode).toBe(404)
})

test('AL1 [N29] only its owner has rules and maintenance for a check', async () => {
  const { ada, eve, storage, plan, own } = await setUp()
  const { db } = storage
  const { key } = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', ada.username)
    .executeTakeFirstOrThrow()
  const { id } = await insertCheck(db, { userKey: key })
  const url = `/api/me/alerts/checks/${id}`
  const change = { method: 'PATCH', url, payload: { graceS: 77 } } as const
  const rules = { ...same, graceS: 77 }
  expect((await ada.inject({ url })).json()).toEqual({ rules: same, isOn: true, maintenance: [] })
  expect((await ada.inject(change)).json()).toMatchObject({ rules })
  expect((await own()).differing).toEqual([{ of: 'check', id, slug: null, name: 'Backup', rules }])
  const planned = await plan({ checks: [id] })
  expect(planned.json()).toMatchObject({ devices: null, islands: null, checks: [id] })
  expect((await ada.inject({ url })).json()).toMatchObject({ maintenance: [planned.json()] })
  const { body } = await ada.inject({ url: '/api/me/export' })
  expect(JSON.parse(body).alertRules).toContainEqual({ check: id, rules })
  expect((await eve.inject({ url })).statusCode).toBe(404)
  expect((await eve.inject(change)).statusCode).toBe(404)
  expect((await plan({ checks: [id] }, eve)).statusCode).toBe(404)
  expect((await plan({ checks: [id, 'none'] })).statusCode).toBe(404)
  await db.deleteFrom('checks').execute()
  expect((await own()).differing).toEqual([])
})

test('AL1 the export contains rules and maintenance, which are deleted with their device and user', async () => {
  const { ada, device, change, plan, storage } = await setUp()
  await change({ graceS: 77 })
  await plan({ note: 'new roof' })
  const { body } = await ada.inject({ url: '/api/me/export' })
  expect(JSON.parse(body)).toMatchObject({
    alertRules: [
      { rules: { graceS: 0 } },
      { device: device.id, rules: { graceS: 77 } },
      { maintenance: { note: 'new roof' } },
    ],
  })
  const { db } = storage
  const { key } = await db
    .selectFrom('users')
    .select('key')
    .where('username', '=', ada.username)
    .executeTakeFirstOrThrow()
  const kept = async () => [
    await db.selectFrom('alert_subject_rules').selectAll().where('user_key', '=', key).execute(),
    await db.selectFrom('alert_maintenance').selectAll().where('user_key', '=', key).execute(),
  ]
  expect(await kept()).toEqual([[expect.anything()], [expect.anything()]])
  await ada.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
  expect(await kept()).toEqual([[], [expect.anything()]])
  await db.deleteFrom('users').where('key', '=', key).execute()
  expect(await kept()).toEqual([[], []])
})

test('AL2 an account with the maximum of maintenance plans no more until one is over', async () => {
  const { clock, plan, end } = await setUp()
  for (let count = 0; count < alertMaintenancesPerUser; count += 1) await plan({})
  const refused = await plan({})
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'maintenance_limit' }])
  clock.move(dayMs)
  const planned = await plan({})
  expect(planned.statusCode).toBe(201)
  expect((await end(planned.json<Maintenance>().id)).statusCode).toBe(204)
})

test.each(['devices', 'islands', 'checks'])(
  'AL2 S47 maintenance of the maximum of %s takes 20 ms at most',
  async (things) => {
    const { plan } = await setUp()
    const ids = Array.from({ length: alertMaintenanceSubjectsMax }, (_, id) => `${id}`)
    const pastMs = await pastMainThreadBudgetMs(async () => {
      const before = process.threadCpuUsage()
      expect((await plan({ [things]: ids })).statusCode).toBe(404)
      return processorMs(before)
    })
    expect(pastMs).toBeUndefined()
  },
)

test.each<[string, (nowMs: number) => Partial<NewMaintenance>]>([
  ['an end that is past', (nowMs) => ({ until: at(nowMs) })],
  ['an end before its start', (nowMs) => ({ from: at(nowMs + 9), until: at(nowMs + 9) })],
  ['more than 30 days', (nowMs) => ({ until: at(nowMs + 30 * dayMs + 1) })],
  [
    'a start in more than a year',
    (nowMs) => ({ from: at(nowMs + 365 * dayMs + 1), until: at(nowMs + 366 * dayMs) }),
  ],
  ['no time', () => ({ until: 'tomorrow' })],
  ['no thing', () => ({ devices: [] })],
  ['a thing twice', () => ({ devices: ['a', 'a'] })],
  [
    'more things than it can name',
    () => ({
      islands: Array.from({ length: alertMaintenanceSubjectsMax + 1 }, (_, id) => `${id}`),
    }),
  ],
  ['a note too long', () => ({ note: 'x'.repeat(65) })],
])('AL2 maintenance with %s is refused', async (_, details) => {
  const { clock, plan, own } = await setUp()
  const refused = await plan(details(clock.now()))
  expect(refused.json()).toMatchObject({ code: 'invalid_input' })
  expect((await own()).maintenance).toEqual([])
})
