import { bodyMaxBytes } from '@astropelago/contract/limits'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { createTestToken, listOwnDevices, registerTestDevice } from '../../../test/api-devices.ts'
import { createTestApp, stopTicks } from '../../../test/create-test-app.ts'

const byText = { 'content-type': 'text/plain' }

async function setUp(made = createTestApp()) {
  const testApp = await made
  const owner = await testApp.signUp()
  const device = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, device.id)
  const say = (query: string, { headers, ...rest }: InjectOptions = {}) =>
    testApp.inject({
      method: 'POST',
      url: `/api/devices/heartbeat-token${query}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...rest,
    })
  const own = async () => (await listOwnDevices(owner))[0]
  const { db } = testApp.storage
  const { key } = await db
    .selectFrom('devices')
    .select('key')
    .where('id', '=', device.id)
    .executeTakeFirstOrThrow()
  const kept = () =>
    db.selectFrom('device_reports').selectAll().where('device_key', '=', key).execute()
  return { ...testApp, owner, device, token, say, own, kept }
}

describe('a heartbeat that says more', () => {
  test('[P10] warns its owner, and leaves the device online', async () => {
    const { say, own, clock } = await setUp()
    const at = new Date(clock.now()).toISOString()
    expect((await own())?.report).toBeNull()
    expect((await say('?status=fail')).statusCode).toBe(204)
    const noRun = { exitCode: null, durationMs: null, runningSince: null }
    const failing = { at, status: 'fail', since: at, text: null, ...noRun }
    expect(await own()).toMatchObject({ status: 'online', report: failing })
    clock.move(10_000)
    // An empty report changes nothing.
    expect((await say('')).statusCode).toBe(204)
    expect((await own())?.report).toEqual(failing)
    await say('?status=ok')
    expect((await own())?.report).toMatchObject({ status: 'ok', text: null })
  })

  test('[P10] keeps its text; without a status it says ok', async () => {
    const { say, own, clock } = await setUp()
    const payload = 'disk 97 %\r\n\ttemp 80 °C\n'
    await say('?status=fail', { headers: { 'content-type': 'Text/Plain; charset=UTF-8' }, payload })
    expect((await own())?.report).toMatchObject({ status: 'fail', text: 'disk 97 %\ntemp 80 °C' })
    clock.move(10_000)
    await say('', { headers: byText, payload: 'fine' })
    expect((await own())?.report).toMatchObject({ status: 'ok', text: 'fine' })
  })

  test('[P10] by session does the same', async () => {
    const { owner, device, own } = await setUp()
    const url = `/api/devices/heartbeat?id=${device.id}&status=fail`
    const response = await owner.inject({ method: 'POST', url, headers: byText, payload: 'no' })
    expect(response.statusCode).toBe(204)
    expect((await own())?.report).toMatchObject({ status: 'fail', text: 'no' })
  })

  test('[P14] says when a run starts and how it ends, and the owner learns how long it took', async () => {
    const { say, own, clock } = await setUp()
    const began = new Date(clock.now()).toISOString()
    expect((await say('?status=start')).statusCode).toBe(204)
    expect(await own()).toMatchObject({ status: 'online', report: { runningSince: began } })
    clock.move(61_000)
    await say('?exit=3', { headers: byText, payload: 'disk full' })
    const failed = { exitCode: 3, durationMs: 61_000, runningSince: null }
    expect((await own())?.report).toMatchObject({ status: 'fail', text: 'disk full', ...failed })
    clock.move(10_000)
    await say('?exit=0')
    expect((await own())?.report).toMatchObject({ status: 'ok', exitCode: 0, durationMs: null })
    clock.move(10_000)
    await say('?exit=-1073741510&status=ok')
    expect((await own())?.report).toMatchObject({ status: 'ok', exitCode: -1_073_741_510 })
  })

  test('[P14] a start is no heartbeat of a device with a schedule', async () => {
    stopTicks()
    const { say, own, owner, device, clock } = await setUp(createTestApp({}))
    const schedule = { kind: 'period', periodS: 60, graceS: 0 }
    await owner.inject({ method: 'PATCH', url: `/api/devices/${device.id}`, payload: { schedule } })
    expect((await say('?status=start')).statusCode).toBe(204)
    expect(await own()).toMatchObject({ status: 'unknown', report: { durationMs: null } })
    clock.move(5000)
    await say('?status=ok')
    clock.move(10_000)
    await say('?status=start')
    const expectedAt = new Date(clock.now() + 50_000).toISOString()
    expect(await own()).toMatchObject({ status: 'online', expectedAt })
    clock.move(50_000)
    expect(await own()).toMatchObject({ status: 'offline', expectedAt: null })
  })

  test('[P4] leaves one row, however often it comes', async () => {
    const { say, clock, kept } = await setUp()
    for (let i = 0; i < 5; i += 1) {
      await say('?status=fail', { headers: byText, payload: `${i}` })
      clock.move(10_000)
    }
    expect(await kept()).toHaveLength(1)
  })

  test.each(['?state=fail', '?id=1', '?__proto__=fail'])(
    'with the query %s says nothing',
    async (query) => {
      const { say, own } = await setUp()
      expect((await say(query)).statusCode).toBe(204)
      expect(await own()).toMatchObject({ status: 'online', report: null })
    },
  )

  test.each([
    ['JSON', 'application/json', '{"a":1}'],
    ['a form', 'application/x-www-form-urlencoded', 'a=1'],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255])],
    ['white space', 'text/plain', ' \n '],
  ])('with %s says nothing', async (_, type, payload) => {
    const { say, own } = await setUp()
    const response = await say('', { headers: { 'content-type': type }, payload })
    expect(response.statusCode).toBe(204)
    expect((await own())?.report).toBeNull()
  })

  test.each([
    ['a NUL', Buffer.from('a\0b'), 'ab'],
    ['colours', Buffer.from('disk \u001B[31;1mfull\u001B[0m'), 'disk full'],
    ['an escape alone', Buffer.from('a\u001B'), 'a'],
    ['a mark of its order', Buffer.from('\uFEFFdisk full'), 'disk full'],
    ['no UTF-8', Buffer.from([0x64, 0xff, 0x65]), 'd\uFFFDe'],
    ['nothing but control characters', Buffer.from('\0\u001B'), null],
    ['half a letter', Buffer.from([0x64, 0xc3]), 'd'],
    ['a surrogate alone', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD'.repeat(3)],
    ['a pile of marks', Buffer.from(`x${'\u0301\u202E'.repeat(100)}`), `x${'\u0301'.repeat(31)}`],
    ['more than 1 kB', Buffer.alloc(bodyMaxBytes, 'x'), 'x'.repeat(1024)],
    ['more than 1 kB of few letters', Buffer.from('€'.repeat(342)), '€'.repeat(341)],
    ['more bytes than UTF-8 has for them', Buffer.alloc(1024, 0xff), '\uFFFD'.repeat(341)],
    [
      'letters that get longer',
      Buffer.from('\u0958'.repeat(341)),
      '\u0915\u093C'.repeat(170) + '\u0915',
    ],
  ])('[P10] RP2 with %s counts, and what can be read of it is kept', async (_, payload, text) => {
    const { say, own } = await setUp()
    const response = await say('?status=fail', { headers: byText, payload })
    expect(response.statusCode).toBe(204)
    expect(await own()).toMatchObject({ status: 'online', report: { status: 'fail', text } })
  })

  test('RP2 S31 with more than 64 KiB is refused and counts for nothing', async () => {
    const { say, own } = await setUp()
    const payload = Buffer.alloc(bodyMaxBytes + 1, 'x')
    const response = await say('?status=fail', { headers: byText, payload })
    expect([response.statusCode, response.json()]).toMatchObject([413, { code: 'too_large' }])
    expect(await own()).toMatchObject({ status: 'unknown', report: null })
  })

  test.each([
    '?status=warn',
    '?status=',
    '?status=ok&status=fail',
    '?exit=',
    '?exit=1.5',
    '?exit=x',
  ])('RP2 S31 %s is refused and counts for nothing', async (query) => {
    const { say, own } = await setUp()
    const response = await say(query)
    expect([response.statusCode, response.json()]).toMatchObject([400, { code: 'invalid_input' }])
    expect(await own()).toMatchObject({ status: 'unknown', report: null })
  })

  test('RP2 S60 what reorders text is taken out', async () => {
    const { say, own } = await setUp()
    await say('', { headers: byText, payload: 'a\u202Eb' })
    expect((await own())?.report?.text).toBe('ab')
  })
})

test('RP1 S54 of a warning nobody but the owner learns, be it by list, device, history, feed or operator', async () => {
  const { say, inject, signUp, device, clock } = await setUp(createTestApp({}))
  await say('')
  clock.move(1000)
  const ask = async () => {
    const answers = []
    for (const url of [
      '/api/devices',
      `/api/devices/${device.id}`,
      `/api/devices/${device.id}/uptime`,
      `/api/devices/${device.id}/history`,
    ]) {
      const { body, headers } = await inject({ url })
      answers.push(body, headers['etag'])
    }
    return answers
  }
  const before = await ask()
  await say('?status=fail', { headers: byText, payload: 'my secret' })
  expect(await ask()).toEqual(before)
  const stranger = await signUp()
  expect(await listOwnDevices(stranger)).toEqual([])
  expect((await stranger.inject({ url: `/api/devices/${device.id}` })).body).not.toContain('report')
})

test('RP3 S20 what a device says is in no log', async () => {
  const { say, logged } = await setUp()
  await say('?status=fail', { headers: byText, payload: 'my secret' })
  await say('?status=warn', { headers: byText, payload: 'my secret' })
  expect(logged()).not.toContain('my secret')
})

test('it is in the export of an account, and goes with the device', async () => {
  const { say, owner, device, kept } = await setUp()
  await say('?status=fail', { headers: byText, payload: 'disk full' })
  expect((await owner.inject({ url: '/api/me/export' })).body).toContain('disk full')
  expect(await kept()).toHaveLength(1)
  await owner.inject({ method: 'DELETE', url: `/api/devices/${device.id}` })
  expect(await kept()).toEqual([])
})
