import { readFileSync } from 'node:fs'
import type { AlertChannel } from '@astropelago/contract/alert-channels'
import type { CheckImportReport } from '@astropelago/contract/check-import'
import { checkImportRefusals } from '@astropelago/contract/check-import-notes'
import { checkImportMaxBytes } from '@astropelago/contract/limits'
import type { OwnCheck } from '@astropelago/contract/checks'
import type { StatusPageSettings } from '@astropelago/contract/status-pages'
import { describe, expect, test } from 'vitest'
import { hashToken } from '../../../secret-token.ts'
import { createTestApp, shareTestApp, type TestAppOptions } from '../../../test/create-test-app.ts'
import { insertUser } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import type { NewCheck } from '../checks-store.ts'
import { sqlCheckImportsStore } from './sql-check-imports-store.ts'
import { kumaDatabase } from './testing/kuma-database.ts'

const headers = { 'content-type': 'application/octet-stream' }
const healthchecks = readFileSync(new URL('testing/healthchecks.json', import.meta.url))
const ordinary: TestAppOptions = {}

async function setUp(made = shareTestApp(ordinary)) {
  const testApp = await made
  const owner = await testApp.signUp()
  const send = (payload: Buffer, from: string, isDryRun = false) =>
    owner.inject({
      method: 'POST',
      url: `/api/me/checks/import?from=${from}&dryRun=${isDryRun}`,
      payload,
      headers,
    })
  const report = async (...sent: Parameters<typeof send>) => {
    const response = await send(...sent)
    expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
    return response.json<CheckImportReport>()
  }
  const read = async <Body>(path: string) =>
    (await owner.inject({ url: `/api/me/${path}` })).json<Body>()
  const own = async () => ({
    checks: await read<OwnCheck[]>('checks'),
    channels: (await read<{ channels: AlertChannel[] }>('alerts/channels')).channels,
    page: await read<StatusPageSettings>('status-page'),
  })
  return { ...testApp, owner, send, report, own }
}

async function setUpStore() {
  const storage = await openTestStorage()
  return { storage, userKey: await insertUser(storage.db) }
}

const rowsOf = ({ lines }: CheckImportReport) =>
  lines
    .map(({ name, kind, action, becomes, isPaused, notes }) =>
      [
        name,
        kind,
        [action, becomes, isPaused && 'paused'].filter(Boolean).join(' '),
        ...notes,
      ].join(' | '),
    )
    .join('\n')

describe('Uptime Kuma', () => {
  test('what becomes of 100 monitors, 12 tags, 8 channels and 2 status pages, and why', async () => {
    const { report, own } = await setUp()
    const told = await report(kumaDatabase(), 'kuma', true)
    expect(told).toMatchObject({ isDryRun: true, room: 200 })
    await expect(`${rowsOf(told)}\n`).toMatchFileSnapshot('testing/kuma-report.txt')
    expect(await own()).toMatchObject({ checks: [], channels: [], page: { checks: [] } })
  })

  test('all of it is imported, and importing again changes nothing', async () => {
    const { report, own } = await setUp()
    const told = await report(kumaDatabase(), 'kuma')
    const made = await own()
    expect(told.newChecks).toBe(made.checks.length)
    expect(made.channels.map(({ kind, state }) => [kind, state])).toEqual([
      ['slack', 'ready'],
      ['telegram', 'ready'],
      ['ntfy', 'ready'],
      ['webhook', 'ready'],
    ])
    const nameOf = new Map(made.checks.map(({ id, name }) => [id, name]))
    expect(made.page).toMatchObject({ isOn: false, title: 'Northwind Bikes status' })
    expect(made.page.checks.map((id) => nameOf.get(id))).toEqual([
      'Company website',
      'Shop',
      'IMAPS',
      'SMTP',
    ])
    for (const check of made.checks) expect(check.visibility).toBe('private')
    expect(await report(kumaDatabase(), 'kuma')).toMatchObject({ created: 0, updated: 0 })
    expect(await own()).toEqual(made)
  })

  test('importing again changes what has changed there, and keeps what was set here', async () => {
    const { owner, report, own } = await setUp(createTestApp({}))
    await report(kumaDatabase(), 'kuma')
    const { checks } = await own()
    const shop = checks.find(({ name }) => name === 'Shop')
    const change = { isPaused: true, visibility: 'public' }
    await owner.inject({ method: 'PATCH', url: `/api/me/checks/${shop?.id}`, payload: change })
    const changed = kumaDatabase(
      `update monitor set name = 'Store', interval = 90 where name = 'Shop'`,
      `update monitor set interval = 600 where name = 'Solar inverter'`,
      `update monitor set type = 'push', push_token = 'aNewTokenOfAMonitor0000000000000' where name = 'Blog'`,
    )
    const told = await report(changed, 'kuma')
    expect(told).toMatchObject({ created: 0, updated: 3 })
    const inverter = told.lines.find(({ name }) => name === 'Solar inverter')
    expect(inverter?.notes).toEqual([expect.stringContaining('go on reporting')])
    expect(told.lines.find(({ name }) => name === 'Blog')).toMatchObject({ action: 'leave' })
    const after = await own()
    expect(after.checks).toHaveLength(checks.length)
    const store = after.checks.find(({ id }) => id === shop?.id)
    expect(store).toMatchObject({ ...change, name: 'Store', target: { periodS: 90 } })
  })

  test('another installation’s monitors are other checks', async () => {
    const { report } = await setUp()
    const { newChecks } = await report(kumaDatabase(), 'kuma')
    const other = kumaDatabase(`update setting set value = 'x' where key = 'jwtSecret'`)
    expect(await report(other, 'kuma', true)).toMatchObject({ newChecks })
  })

  test('S20 addresses that scripts report to are stored as hashes, and belong to one check', async () => {
    const { report, storage, signUp } = await setUp(createTestApp({}))
    await report(kumaDatabase(), 'kuma')
    const token = 'qXw7Lr2bVn8TzKc4Jd6Ym1Hs9Pf3Gu5A'
    const found = await storage.db
      .selectFrom('checks')
      .select(['name', 'source_id'])
      .where('push_hash', '=', hashToken(token))
      .execute()
    expect(found).toEqual([
      { name: 'Backup of the NAS', source_id: expect.stringMatching(/^kuma:[0-9a-f]{12}:\d+$/) },
    ])
    const stranger = await signUp()
    const response = await stranger.inject({
      method: 'POST',
      url: '/api/me/checks/import?from=kuma',
      payload: kumaDatabase(),
      headers,
    })
    const { lines } = response.json<CheckImportReport>()
    expect(lines.find(({ name }) => name === 'Backup of the NAS')?.notes).toEqual([
      expect.stringContaining('can’t be taken over'),
    ])
  })

  test('private targets are not paused where the operator allows them', async () => {
    const { report } = await setUp(shareTestApp({ config: { allowsPrivateTargets: true } }))
    const { lines } = await report(kumaDatabase(), 'kuma', true)
    expect(lines.find(({ name }) => name === 'Router')).toMatchObject({
      isPaused: false,
      notes: [],
    })
  })
})

describe('Healthchecks', () => {
  test('checks are imported once, with the addresses that they have', async () => {
    const { report, own, storage } = await setUp(createTestApp({}))
    expect(await report(healthchecks, 'healthchecks')).toMatchObject({ created: 14, left: 12 })
    const made = await own()
    expect(made.checks).toHaveLength(14)
    const found = await storage.db
      .selectFrom('checks')
      .select('name')
      .where('push_hash', '=', hashToken('31365bc2-8da9-4729-8ff3-aaaaaaaaaaa2'))
      .execute()
    expect(found).toEqual([{ name: 'Database backup' }])
    expect(await report(healthchecks, 'healthchecks')).toMatchObject({ created: 0, unchanged: 14 })
    expect(await own()).toEqual(made)
  })

  test('a list of a read-only key gets its addresses from a later one', async () => {
    const { report, storage } = await setUp(createTestApp({}))
    const check = { name: 'Backup', grace: 60, timeout: 3600 }
    const fileOf = (id: object) => Buffer.from(JSON.stringify({ checks: [{ ...check, ...id }] }))
    const key = 'a6c7b0a8a66bed0df66abfdab3c77736861703ee'
    const uuid = '31365bce-8da9-4729-8ff3-aaa71d56b712'
    await report(fileOf({ unique_key: key }), 'healthchecks')
    expect(await report(fileOf({ uuid }), 'healthchecks')).toMatchObject({ created: 0, updated: 1 })
    const rows = await storage.db.selectFrom('checks').select('push_hash').execute()
    expect(rows.map(({ push_hash: hash }) => Buffer.from(hash ?? []))).toEqual([
      Buffer.from(hashToken(uuid)),
    ])
  })
})

describe('limits', () => {
  test('a user without room gets nothing and a sentence', async () => {
    const { send, report, own } = await setUp(shareTestApp({ config: { checksPerUser: 20 } }))
    const { newChecks, room } = await report(kumaDatabase(), 'kuma', true)
    expect([newChecks > 20, room]).toEqual([true, 20])
    const response = await send(kumaDatabase(), 'kuma')
    expect([response.statusCode, response.json()]).toMatchObject([
      409,
      { code: 'check_limit', fields: { file: expect.stringContaining('room for 20') } },
    ])
    expect(await own()).toMatchObject({ checks: [], channels: [], page: { title: null } })
  })

  test.each([
    ['kuma', Buffer.from('not a database'), /no database of Uptime Kuma/],
    ['kuma', kumaDatabase().subarray(0, 20_000), /damaged/],
    ['kuma', kumaDatabase('delete from monitor'), /no checks/],
    ['healthchecks', kumaDatabase(), /no list of checks/],
  ])(
    'a file of %s that can’t be read is refused, with a sentence',
    async (from, file, sentence) => {
      const { send } = await setUp()
      const response = await send(Buffer.from(file), from)
      expect([response.statusCode, response.json()]).toMatchObject([
        400,
        { code: 'invalid_import', fields: { file: expect.stringMatching(sentence) } },
      ])
    },
  )

  test('too large a file, a demo user and too many files are refused', async () => {
    const { send, inject, signUp } = await setUp(createTestApp({}))
    expect((await send(Buffer.alloc(checkImportMaxBytes + 1), 'kuma')).statusCode).toBe(413)
    const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
    const url = '/api/me/checks/import?from=healthchecks&dryRun=true'
    const call = { method: 'POST', url, payload: healthchecks, headers } as const
    expect((await inject({ ...call, cookies })).json()).toMatchObject({ code: 'demo_account' })
    const busy = await signUp()
    const statuses: number[] = []
    const payload = Buffer.from('{}')
    while (statuses.length < 61) statuses.push((await busy.inject({ ...call, payload })).statusCode)
    expect([statuses[59], statuses[60]]).toEqual([400, 429])
  })

  test('an import that others have overtaken writes nothing', async () => {
    const { storage, userKey } = await setUpStore()
    const store = sqlCheckImportsStore(storage)
    const check = {
      id: 'c1',
      userKey,
      name: 'Backup',
      target: { kind: 'push', periodS: 60, graceS: 60 },
      publicMs: null,
      isPaused: false,
      createdMs: 1,
      islandKey: null,
      deviceId: null,
      pushHash: hashToken('a'),
      sourceId: 'kuma:1',
    } as const
    const nothing = { userKey, created: [], updated: [], alsoWrite: async () => undefined }
    const create = (details: Partial<NewCheck>, perUser = 10) =>
      store.importChecks({ ...nothing, created: [{ ...check, ...details }] }, perUser)
    expect(await create({})).toBe('done')
    expect(await create({ id: 'c2', pushHash: hashToken('b') })).toBe('changed')
    expect(await create({ id: 'c2', sourceId: 'kuma:2' })).toBe('changed')
    const other = { id: 'c2', sourceId: 'kuma:2', pushHash: null }
    expect(await create(other, 1)).toBe('check_limit')
    const gone = { key: 99, name: 'x', target: check.target, pushHash: null }
    expect(await store.importChecks({ ...nothing, updated: [gone] }, 10)).toBe('changed')
    const failing = {
      ...nothing,
      created: [{ ...check, ...other }],
      alsoWrite: () => Promise.reject(new Error('full')),
    }
    await expect(store.importChecks(failing, 10)).rejects.toThrow('full')
    expect(await store.read(userKey, [])).toMatchObject({ count: 1 })
  })

  test('simultaneous imports of one file make each check once', async () => {
    const { send, own } = await setUp()
    const statuses = await Promise.all([
      send(healthchecks, 'healthchecks'),
      send(healthchecks, 'healthchecks'),
    ])
    for (const { statusCode } of statuses) expect(statusCode).toBe(200)
    expect((await own()).checks).toHaveLength(14)
  })
})

const listOf = (check: object) => Buffer.from(JSON.stringify({ checks: [{ grace: 60, ...check }] }))
const repeat = (statement: string) =>
  `with recursive n (n) as (select 1 union all select n + 1 from n where n < 3000) ${statement} from n`

describe('a hostile file', () => {
  const uuid = '31365bc1-8da9-4729-8ff3-aaaaaaaaaaa1'

  test.each([
    ['a long name of emoji', { name: '😀'.repeat(1000), timeout: 60, uuid }],
    ['a name of half a letter', { name: '\ud800', timeout: 60, uuid }],
    ['a name that turns around', { name: `\u202e\u200d${'👨‍👩‍👧'.repeat(99)}`, timeout: 60, uuid }],
    ['a long schedule', { name: 'x', schedule: `0${',0'.repeat(300)} * * * *`, uuid }],
    ['a wide schedule', { name: 'x', schedule: `*${' '.repeat(600)}* * * *`, uuid }],
    ['a long schedule of nothing', { name: 'x', schedule: '😀'.repeat(600), uuid }],
    ['a long tag', { name: 'x', timeout: 60, uuid, tags: '😀'.repeat(1000) }],
  ])('S31 with %s is read', async (_, check) => {
    const { report } = await setUp()
    expect((await report(listOf(check), 'healthchecks', true)).lines.length).toBeGreaterThan(0)
  })

  test('S47 with more tags than anybody has is refused', async () => {
    const { send } = await setUp()
    const tags = Array.from({ length: 300_000 }, (_, at) => at).join(' ')
    const response = await send(
      listOf({ name: 'x', timeout: 60, uuid, tags }),
      'healthchecks',
      true,
    )
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { fields: { file: checkImportRefusals.tooMuch } },
    ])
  })

  test('S47 with the same groups again and again is as long as it seems', async () => {
    const { report } = await setUp()
    const bytes = kumaDatabase(
      'drop table "group"',
      'create table "group" (id, weight, status_page_id)',
      repeat('insert into "group" select 7, n, (select min(id) from status_page where published)'),
      'delete from monitor_group',
      repeat('insert into monitor_group (monitor_id, group_id) select 1, 7'),
    )
    expect((await report(bytes, 'kuma', true)).lines.length).toBeGreaterThan(100)
  })

  test('S47 with an address of mail without end is short', async () => {
    const { report } = await setUp()
    const bytes = kumaDatabase(
      `update notification set active = 1, config = '{"type":"smtp","smtpTo":"${'a@b.example,'.repeat(50_000)}"}'`,
    )
    expect((await report(bytes, 'kuma', true)).lines.length).toBeLessThan(5000)
  })
})
