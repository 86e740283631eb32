import type { ImportReport } from '@astropelago/contract/devices-csv'
import { importErrorsMax, importLinesMax, importMaxBytes } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../../../test/api-devices.ts'
import { createTestApiKey, injectByKey } from '../../../test/api-keys.ts'
import { createTestApp, shareTestApp, type TestAppOptions } from '../../../test/create-test-app.ts'

const headers = { 'content-type': 'text/csv' }

const ordinary: TestAppOptions = { config: { operators: new Set(['ada', 'eve']) } }
const roomy: TestAppOptions = { config: { maxDevicesPerUser: 10_000 } }

async function setUp(made = shareTestApp(ordinary)) {
  const testApp = await made
  const owner = await testApp.signUp()
  const send = (payload: string | Buffer, query = '', by = owner.inject) =>
    by({ method: 'POST', url: `/api/me/devices.csv${query}`, payload, headers })
  const report = async (text: string, query = '') => {
    const response = await send(text, query)
    expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
    return response.json<ImportReport>()
  }
  const dryRun = (text: string) => report(text, '?dryRun=true')
  return { ...testApp, owner, send, report, dryRun, own: () => listOwnDevices(owner) }
}

describe('an import', () => {
  test('registers a device for each line, with the defaults of the API for missing values', async () => {
    const { report, own } = await setUp()
    const text = [
      'label,lat,lon,link,visibility,precision',
      'Roof,59.9,10.7,https://sky.example/roof,private,km1',
      '"Cellar, ""old""",-33.5,+1e1,,,',
    ].join('\n')
    expect(await report(text)).toEqual({
      isDryRun: false,
      created: 2,
      updated: 0,
      unchanged: 0,
      failed: 0,
      lines: [
        { line: 2, action: 'create', label: 'Roof' },
        { line: 3, action: 'create', label: 'Cellar, "old"' },
      ],
      errors: [],
      tokens: null,
    })
    expect(await own()).toMatchObject([
      {
        label: 'Roof',
        lat: 59.9,
        lon: 10.7,
        link: 'https://sky.example/roof',
        visibility: 'private',
        precision: 'km1',
      },
      {
        label: 'Cellar, "old"',
        lat: -33.5,
        lon: 10,
        link: null,
        visibility: 'public',
        precision: 'exact',
      },
    ])
  })

  test('changes the devices with these ids; empty cells change nothing but remove links', async () => {
    const { owner, report, own } = await setUp()
    const [one, two, same] = [
      await registerTestDevice(owner, { link: 'https://a.example/', precision: 'km10' }),
      await registerTestDevice(owner, { label: 'Two' }),
      await registerTestDevice(owner, { label: 'Same' }),
    ]
    const text = `id;link;label\n${one.id};;Renamed\n${two.id};https://b.example/;\n${same.id};;Same\n`
    expect(await report(text)).toMatchObject({ created: 0, updated: 2, unchanged: 1 })
    expect(await own()).toMatchObject([
      { id: one.id, label: 'Renamed', link: null, precision: 'km10' },
      { id: two.id, label: 'Two', link: 'https://b.example/' },
      { id: same.id, label: 'Same' },
    ])
  })

  test('S57 leaves a hidden device hidden', async () => {
    const { inject, owner, signUp, report, own, clock } = await setUp()
    const operator = await signUp('ada')
    const [hidden, shown] = [await registerTestDevice(owner), await registerTestDevice(owner)]
    const url = `/api/operator/hidden/device/${hidden.id}`
    const hide = { method: 'POST', url, payload: { reason: 'The label is rude.' } } as const
    expect((await operator.inject(hide)).statusCode).toBe(204)
    const text = [
      'id,label,lat,lon,visibility',
      `${hidden.id},Nice,3,4,public`,
      `${shown.id},Shown,3,4,public`,
    ]
    expect(await report(text.join('\n'))).toMatchObject({ updated: 2 })
    expect(await own()).toMatchObject([
      { label: 'Nice', hidden: { reason: 'The label is rude.' } },
      { label: 'Shown', hidden: null },
    ])
    clock.move(60_000)
    const list = (await inject({ url: '/api/devices' })).json<{ id: string }[]>()
    const ids = list.map(({ id }) => id)
    expect(ids.filter((id) => [hidden.id, shown.id].includes(id))).toEqual([shown.id])
    expect((await inject({ url: `/api/devices/${hidden.id}` })).statusCode).toBe(404)
  })

  test('S57 is refused to a disabled user, by session and by key', async () => {
    const { app, owner, signUp, send, storage } = await setUp()
    const [operator, { key }] = [await signUp('eve'), await createTestApiKey(owner)]
    const bring = async () => [
      (await send(fileOf(1))).statusCode,
      (await send(fileOf(1), '', injectByKey(app, key))).statusCode,
    ]
    expect(await bring()).toEqual([200, 200])
    const url = `/api/operator/users/${owner.username}/disable`
    expect((await operator.inject({ method: 'POST', url })).statusCode).toBe(200)
    expect(await bring()).toEqual([401, 401])
    const kept = await storage.db
      .selectFrom('devices')
      .innerJoin('users', 'users.key', 'devices.user_key')
      .select('devices.key')
      .where('users.username', '=', owner.username)
      .execute()
    expect(kept).toHaveLength(2)
  })

  test('reports in a dry run what each line would do, and does nothing', async () => {
    const { owner, dryRun, own, signUp } = await setUp()
    const device = await registerTestDevice(owner, { label: 'Known' })
    const strangers = await registerTestDevice(await signUp())
    const text = [
      'id,label,lat,lon,link,visibility',
      ',New,1,2,,',
      `${device.id},Renamed,,,,`,
      `${device.id},Twice,,,,`,
      `${strangers.id},Mine,,,,`,
      ',,91,x,javascript:alert(1),secret',
      ',Half,5,,,',
      ',Wide,1,2,,public,more',
    ].join('\r\n')
    const told = await dryRun(text)
    expect(told).toMatchObject({ isDryRun: true, created: 1, updated: 1, failed: 5, tokens: null })
    expect(told.lines.map(({ line, action, label }) => [line, action, label])).toEqual([
      [2, 'create', 'New'],
      [3, 'update', 'Renamed'],
      [4, 'error', 'Twice'],
      [5, 'error', 'Mine'],
      [6, 'error', ''],
      [7, 'error', 'Half'],
      [8, 'error', 'Wide'],
    ])
    expect(told.errors.map(({ line, column }) => [line, column])).toEqual([
      [4, 'id'],
      [5, 'id'],
      [6, 'label'],
      [6, 'lat'],
      [6, 'lon'],
      [6, 'link'],
      [6, 'visibility'],
      [7, 'lon'],
      [8, null],
    ])
    expect(await own()).toMatchObject([{ label: 'Known' }])
  })

  test('does nothing if one line is wrong, and says which', async () => {
    const { send, own } = await setUp()
    const response = await send('label,lat,lon\nGood,1,2\nBad,100,2')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'invalid_csv',
      fields: { 'line 3, lat': 'Latitude is a number from -90 to 90.' },
    })
    expect(await own()).toEqual([])
  })

  test.each([
    ['nothing', '', /empty/],
    ['columns alone', 'label,lat,lon\n', /no line after/],
    ['an unknown column', 'label,lat,lon,owner\nPi,1,2,me', /“owner” is not one of them/],
    ['a column twice', 'label,lat,lat,lon\nPi,1,2,3', /twice/],
    ['no places', 'label\nPi', /lat, lon is missing/],
    ['an open quotation mark', 'label,lat,lon\n"Pi,1,2', /no quotation mark closes it/],
  ])('of %s is refused as a whole', async (_, text, message) => {
    const { dryRun } = await setUp()
    expect(await dryRun(text)).toMatchObject({
      failed: 1,
      errors: [{ column: null, message: expect.stringMatching(message) }],
    })
  })

  test('[P11] reads and writes schedules', async () => {
    const { owner, report, own, dryRun } = await setUp()
    const named = 'label,lat,lon,period_s,cron,time_zone,grace_s'
    const lines = [
      'A,1,2,900,,,300',
      'B,1,2,,30 4 * * mon,Europe/Berlin,',
      'C,1,2,,,,',
      'D,1,2,,0 0 * * *,,60',
    ]
    expect(await report([named, ...lines].join('\n'))).toMatchObject({ created: 4 })
    const byCron = { kind: 'cron', timeZone: 'UTC', graceS: 0 }
    const schedules = [
      { kind: 'period', periodS: 900, graceS: 300 },
      { ...byCron, expression: '30 4 * * mon', timeZone: 'Europe/Berlin' },
      null,
      { ...byCron, expression: '0 0 * * *', graceS: 60 },
    ]
    const devices = await own()
    expect(devices.map(({ schedule }) => schedule)).toEqual(schedules)
    const { body } = await owner.inject({ url: '/api/me/devices.csv' })
    expect(await report(body)).toMatchObject({ unchanged: 4, updated: 0 })
    // Without both columns, an empty cell says nothing.
    const [a = { id: '' }, b = { id: '' }] = devices
    expect(await report(`id,period_s\n${a.id},\n${b.id},60`)).toMatchObject({ updated: 1 })
    expect(await report(`id,period_s,cron\n${a.id},,`)).toMatchObject({ updated: 1 })
    expect((await own()).slice(0, 2).map(({ schedule }) => schedule)).toEqual([
      null,
      { kind: 'period', periodS: 60, graceS: 0 },
    ])
    const wrong = ['A,1,2,9,,,', 'A,1,2,900,* * * * *,,', 'A,1,2,,0 0 * *,,', 'A,1,2,,,,9']
    expect((await dryRun([named, ...wrong].join('\n'))).errors).toMatchObject([
      { line: 2, column: 'period_s', message: expect.stringMatching(/from 60/) },
      { line: 3, column: 'cron', message: expect.stringMatching(/period or cron/) },
      { line: 4, column: 'cron', message: expect.stringMatching(/five fields/) },
      { line: 5, column: 'cron' },
    ])
  })

  test('reads numbers as the forms do', async () => {
    const { dryRun } = await setUp()
    for (const lat of ['0x10', '1,5', 'NaN', 'Infinity', '1e999', '', '5 5', '٣']) {
      expect(await dryRun(`label\tlat\tlon\nPi\t${lat}\t2`)).toMatchObject({ failed: 1 })
    }
    for (const lat of ['.5', '-0', ' 7 ', '5.', '+1', '1e1']) {
      expect(await dryRun(`label\tlat\tlon\nPi\t${lat}\t2`)).toMatchObject({ created: 1 })
    }
  })

  test('S58 gives new devices the requested precision unless the file has one', async () => {
    const { owner, report, inject, clock } = await setUp()
    await report(
      'label,lat,lon,precision\nPi,59.913868,10.752245,\nMe,1.234567,2,exact',
      '?precision=km10',
    )
    const [coarse, exact] = await listOwnDevices(owner)
    expect([coarse?.precision, exact?.precision]).toEqual(['km10', 'exact'])
    clock.move(1000)
    const { body } = await inject({ url: '/api/devices' })
    expect(body).toContain(coarse?.id)
    expect(body).not.toContain('59.913868')
  })

  test('gives each new device a token, once, as CSV', async () => {
    const { inject, owner, report, own, storage } = await setUp()
    const known = await registerTestDevice(owner)
    const text = `id,label,lat,lon\n,=Roof,1,2\n,Cellar,3,4\n${known.id},Renamed,,`
    const { tokens } = await report(text, '?tokens=true')
    const [columns, ...lines] = (tokens ?? '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(columns).toEqual(['id', 'label', 'token'])
    const created = (await own()).filter(({ id }) => id !== known.id)
    expect(lines.map(([id]) => id)).toEqual(created.map(({ id }) => id))
    expect(lines.map(([, label]) => label)).toEqual(["'=Roof", 'Cellar'])
    for (const [, , token = ''] of lines) {
      expect(token).toMatch(/^apd_[\w-]{43}$/)
      expect(await sendHeartbeat({ inject }, token)).toBe(204)
    }
    const actor = `user:${owner.username}`
    const audited = storage.db.selectFrom('audit_log').selectAll().where('actor', '=', actor)
    expect(await audited.execute()).toMatchObject([{ action: 'token.created', subject: actor }])
    expect((await report(text.split('\n').slice(0, 2).join('\n'))).tokens).toBeNull()
  })

  test('shows public devices to everybody at once', async () => {
    const { inject, report } = await setUp(createTestApp({}))
    await report('label,lat,lon,visibility\nShown,1,2,public\nHidden,1,2,private')
    const { body } = await inject({ url: '/api/devices' })
    expect(body).toContain('Shown')
    expect(body).not.toContain('Hidden')
  })

  test('S22 deleting an imported device ends its token', async () => {
    const { inject, owner, report, own } = await setUp()
    const { tokens } = await report('label,lat,lon\nPi,1,2', '?tokens=true')
    const token = tokens?.trim().split(',').at(-1) ?? ''
    expect(await sendHeartbeat({ inject }, token)).toBe(204)
    const [device] = await own()
    await owner.inject({ method: 'DELETE', url: `/api/devices/${device?.id}` })
    expect(await sendHeartbeat({ inject }, token)).toBe(401)
  })
})

/** A file with this many valid lines. */
function fileOf(lines: number): string {
  return ['label,lat,lon', ...Array.from({ length: lines }, (_, at) => `Pi ${at},1,2`)].join('\n')
}

describe('S31 S52 the limits of an import', () => {
  test('are per user: lines past the limit are reported and nothing is imported', async () => {
    const { owner, dryRun, send, own } = await setUp(
      createTestApp({ config: { maxDevicesPerUser: 3 } }),
    )
    await registerTestDevice(owner)
    expect(await dryRun(fileOf(2))).toMatchObject({ created: 2, failed: 0 })
    const told = await dryRun(fileOf(3))
    expect(told).toMatchObject({ created: 2, failed: 1, errors: [{ line: 4, column: null }] })
    expect((await send(fileOf(3))).statusCode).toBe(400)
    expect(await own()).toHaveLength(1)
  })

  test('S9 S74 are three devices for demo users, for this installation alone', async () => {
    const { inject, send } = await setUp()
    const demo = await inject({ method: 'POST', url: '/api/auth/demo' })
    const cookies = Object.fromEntries(demo.cookies.map(({ name, value }) => [name, value]))
    const by = (request: Parameters<typeof inject>[0]) => inject({ ...request, cookies })
    const shared = await send('label,lat,lon,shared\nPi,1,2,true\n', '?dryRun=true', by)
    expect([shared.statusCode, shared.json()]).toMatchObject([403, { code: 'demo_account' }])
    expect((await send(fileOf(4), '', by)).statusCode).toBe(400)
    expect((await send(fileOf(3), '', by)).statusCode).toBe(200)
  })

  test('include those of the server', async () => {
    const { send, own } = await setUp(createTestApp({ config: { maxDevices: 2 } }))
    const response = await send(fileOf(3))
    expect([response.statusCode, response.json()]).toMatchObject([503, { code: 'server_full' }])
    expect(await own()).toEqual([])
  })

  test('cover lines, bytes and reported errors', async () => {
    const { dryRun, send } = await setUp(shareTestApp(roomy))
    expect(await dryRun(fileOf(importLinesMax))).toMatchObject({
      created: importLinesMax,
      failed: 0,
    })
    expect(await dryRun(fileOf(importLinesMax + 1))).toMatchObject({ failed: 1 })
    expect((await send('x'.repeat(importMaxBytes + 1))).statusCode).toBe(413)
    const wrong = `label,lat,lon\n${'Pi,x,y\n'.repeat(importLinesMax)}`
    const told = await dryRun(wrong)
    expect([told.failed, told.errors.length]).toEqual([importLinesMax, importErrorsMax])
    expect(JSON.stringify(told.errors).length).toBeLessThan(16 * 1024)
  })

  test('S30 bound the cost: changing many devices takes no longer than creating them', async () => {
    const { report, own } = await setUp(shareTestApp(roomy))
    const timed = async (text: string) => {
      const startedMs = performance.now()
      await report(text)
      return performance.now() - startedMs
    }
    const makingMs: number[] = []
    while (makingMs.length < 5) makingMs.push(await timed(fileOf(importLinesMax)))
    const changed = (await own()).slice(0, importLinesMax)
    const changingMs: number[] = []
    for (const label of ['One', 'Two', 'Three']) {
      const lines = changed.map(({ id }) => `${id},${label}`)
      changingMs.push(await timed(`id,label\n${lines.join('\n')}`))
    }
    // A wide margin: changing takes a third of the time. Other processes may delay single runs.
    expect(Math.min(...changingMs)).toBeLessThan(5 * Math.max(...makingMs))
  })

  test('S33 are 120 files an hour for each user, including dry runs', async () => {
    const { owner, signUp, send } = await setUp()
    const stranger = await signUp()
    const statuses = new Set<number>()
    for (let file = 0; file < 120; file += 1) {
      statuses.add((await send(fileOf(1), '?dryRun=true')).statusCode)
    }
    expect([...statuses]).toEqual([200])
    const refused = [await send(fileOf(1), '?dryRun=true'), await send(fileOf(1))]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429])
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await send(fileOf(1), '', stranger.inject)).statusCode).toBe(200)
    expect((await owner.inject({ url: '/api/me/devices.csv' })).statusCode).toBe(200)
  })

  test('S16 allow only text/csv in UTF-8', async () => {
    const { send, owner } = await setUp()
    const bytes = Buffer.concat([
      Buffer.from('label,lat,lon\n'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(',1,2'),
    ])
    expect((await send(bytes)).statusCode).toBe(400)
    const call = { method: 'POST', url: '/api/devices/register', headers, payload: 'x' } as const
    expect((await owner.inject(call)).statusCode).toBe(415)
  })
})

describe('an export', () => {
  test('contains all of the user’s devices, as an import reads them', async () => {
    const { inject, owner, report, own, signUp, clock } = await setUp()
    await registerTestDevice(owner, { label: '=cmd|calc', link: 'https://a.example/?a="b",c' })
    const device = await registerTestDevice(owner, {
      label: '-1 "Roof", old',
      lat: -33.5,
      visibility: 'private',
      precision: 'km1',
    })
    await registerTestDevice(await signUp(), { label: 'Strangers' })
    await sendHeartbeat({ inject }, (await createTestToken(owner, device.id)).token)
    const said = `/api/devices/heartbeat?id=${device.id}`
    await owner.inject({ method: 'POST', url: `${said}&status=start` })
    clock.move(10_000)
    await owner.inject({ method: 'POST', url: `${said}&exit=7` })
    const response = await owner.inject({ url: '/api/me/devices.csv' })
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="devices.csv"',
      'cache-control': 'no-store',
    })
    const lines = response.body.split('\r\n')
    expect(lines[0]).toBe(
      'id,label,lat,lon,link,visibility,precision,shared,period_s,cron,time_zone,grace_s,' +
        'status,last_seen_at,created_at,exit_code,duration_ms',
    )
    expect(lines[1]).toContain(",'=cmd|calc,1.5,-2.5,")
    expect(lines[2]).toContain(`,online,${new Date(clock.now()).toISOString()},`)
    expect(lines[2]).toMatch(/,7,10000$/)
    expect(lines).toHaveLength(4)
    const before = await own()
    expect(await report(response.body)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(await own()).toEqual(before)
  })

  test('and an import each accept an API key of their own scope', async () => {
    const { app, owner, storage } = await setUp()
    const { id, key } = await createTestApiKey(owner, ['devices:write'])
    const call = injectByKey(app, key)
    const url = '/api/me/devices.csv?tokens=true'
    const imported = await call({ method: 'POST', url, headers, payload: 'label,lat,lon\nPi,1,2' })
    expect(imported.json()).toMatchObject({ created: 1 })
    expect((await call({ url: '/api/me/devices.csv' })).statusCode).toBe(403)
    const entries = await storage.db
      .selectFrom('audit_log')
      .select('details')
      .orderBy('key')
      .execute()
    expect(entries.at(-1)?.details).toContain(id)
  })
})
