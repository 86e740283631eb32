import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { createDeviceReports } from './device-reports.ts'
import type { NewReport } from './device-reports-store.ts'

function setUp() {
  const clock = movableClock(1_000_000)
  const kept: NewReport[] = []
  const storage = { isGone: false }
  const keep = async (reports: readonly NewReport[]) => {
    if (storage.isGone) throw new Error('the disk is gone')
    kept.push(...reports)
    return reports.map((report) => ({
      ...report,
      status: report.status ?? 'ok',
      sinceMs: report.atMs,
      durationMs: null,
    }))
  }
  const reports = createDeviceReports({ store: { keep, read: async () => [] }, clock: clock.now })
  const say = (text: string, deviceKey = 1) =>
    reports.say({ deviceKey, status: 'fail', text, exitCode: null })
  const texts = () => kept.map(({ text }) => text)
  const published: (string | null)[] = []
  reports.listen((stored) => published.push(...stored.map(({ text }) => text)))
  return { clock, storage, kept, reports, say, texts, published }
}

test('[P10] of many reports in 10 seconds the first is kept at once, and then the last', async () => {
  const { clock, reports, say, texts } = setUp()
  for (const text of ['a', 'b', 'c']) await say(text)
  expect(texts()).toEqual(['a'])
  clock.move(9999)
  await say('d')
  await reports.keepWaiting()
  expect(texts()).toEqual(['a'])
  clock.move(1)
  await reports.keepWaiting()
  expect(texts()).toEqual(['a', 'd'])
  await say('e')
  expect(texts()).toEqual(['a', 'd'])
  clock.move(10_000)
  await reports.keepWaiting()
  clock.move(10_000)
  await reports.keepWaiting()
  await say('f')
  expect(texts()).toEqual(['a', 'd', 'e', 'f'])
})

test('RP4 [P10] a minute of a device that never stops is seven rows written, however often it says something', async () => {
  const { clock, reports, say, kept } = setUp()
  for (let ms = 0; ms <= 60_000; ms += 50) {
    await say(`${ms}`)
    if (ms % 1000 === 0) await reports.keepWaiting()
    clock.move(50)
  }
  expect(kept.length).toBeLessThanOrEqual(7)
})

test('devices don’t wait for one another, and what waits at the end is kept', async () => {
  const { reports, say, texts } = setUp()
  await Promise.all([say('one'), say('other', 2)])
  await say('last')
  expect(texts()).toEqual(['one', 'other'])
  await reports.keepWaiting({ isLast: true })
  expect(texts()).toEqual(['one', 'other', 'last'])
})

test('S44 a report that can’t be kept is refused, and the next one is not taken for its successor', async () => {
  const { storage, say, texts } = setUp()
  storage.isGone = true
  await expect(say('lost')).rejects.toThrow('the disk is gone')
  storage.isGone = false
  await say('again')
  expect(texts()).toEqual(['again'])
})

test('S44 what waits is tried again while storage is gone, unless a newer one came', async () => {
  const { clock, storage, reports, say, texts } = setUp()
  await Promise.all([say('a'), say('x', 2)])
  await Promise.all([say('b'), say('y', 2)])
  clock.move(10_000)
  storage.isGone = true
  await expect(reports.keepWaiting()).rejects.toThrow('the disk is gone')
  await say('c')
  storage.isGone = false
  clock.move(10_000)
  await reports.keepWaiting()
  expect(texts()).toEqual(['a', 'x', 'c', 'y'])
})

test('RP4 S33 of more devices than memory holds one is refused, until others are done', async () => {
  const { clock, reports, say } = setUp()
  await Promise.all(Array.from({ length: 20_000 }, (_, key) => say('x', key)))
  await expect(say('one more', 20_001)).rejects.toMatchObject({ code: 'overloaded' })
  clock.move(10_000)
  await reports.keepWaiting()
  await say('one more', 20_001)
})

test('[P10] subscribers receive what is durable, and nothing that storage refused', async () => {
  const { storage, say, published } = setUp()
  await say('first', 1)
  storage.isGone = true
  await expect(say('refused', 2)).rejects.toThrow('the disk is gone')
  expect(published).toEqual(['first'])
})

test('[P14] runs that start and end within 10 seconds keep the end and both starts', async () => {
  const { clock, reports, kept } = setUp()
  const startMs = clock.now()
  for (const status of ['ok', 'start', 'fail', 'start'] as const) {
    await reports.say({ deviceKey: 1, status, text: null, exitCode: null })
    clock.move(1000)
  }
  await reports.keepWaiting({ isLast: true })
  expect(kept).toMatchObject([
    { status: 'ok', atMs: startMs, beganMs: null, startedMs: null },
    { status: 'fail', atMs: startMs + 2000, beganMs: startMs + 1000, startedMs: startMs + 3000 },
  ])
})

test('[P14] a run that ends while storage is gone keeps its start', async () => {
  const { clock, storage, reports, kept } = setUp()
  const startMs = clock.now()
  const say = (status: 'ok' | 'start') =>
    reports.say({ deviceKey: 1, status, text: null, exitCode: null })
  await say('ok')
  await say('start')
  clock.move(10_000)
  storage.isGone = true
  await expect(reports.keepWaiting()).rejects.toThrow('the disk is gone')
  await say('ok')
  storage.isGone = false
  await reports.keepWaiting({ isLast: true })
  expect(kept.at(-1)).toMatchObject({ status: 'ok', beganMs: startMs, startedMs: null })
})
