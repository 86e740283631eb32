import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, writeDay } from '../../history/time-spans.ts'
import { newestPosition } from '../../page-position.ts'
import type { CheckEvent, CheckRecord, CheckSample } from './checks-store.ts'
import { readCheckHistory } from './read-check-history.ts'

const nowMs = Date.UTC(2026, 0, 31, 12)
const hourMs = 3_600_000
const check: CheckRecord = {
  key: 1,
  id: 'check',
  userKey: 1,
  name: 'Web',
  target: { kind: 'push', periodS: 60, graceS: 60 },
  publicMs: null,
  isPaused: false,
  island: null,
  device: null,
  createdMs: 0,
  hidden: null,
  state: null,
}

function read(
  {
    events = [],
    samples = [],
    days = [],
    outages = [],
  }: {
    readonly events?: readonly CheckEvent[]
    readonly samples?: readonly CheckSample[]
    readonly days?: Awaited<ReturnType<Parameters<typeof readCheckHistory>[0]['readDays']>>
    readonly outages?: readonly { readonly fromMs: number; readonly toMs: number }[]
  },
  visibleFromMs = 0,
) {
  const { readPage } = readCheckHistory(
    {
      readEvents: async () => events,
      readSamples: async (_, sinceMs) => samples.filter(({ atMs }) => atMs >= sinceMs),
      readDays: async (_, sinceMs) => days.filter(({ dayMs: at }) => at >= sinceMs),
      listEvents: async () => [],
    },
    () => nowMs,
    async () => outages,
    async (deviceKeys) =>
      deviceKeys.map((deviceKey) => ({ deviceKey, id: `location ${deviceKey}`, region: 'Berlin' })),
  )
  return readPage(check, { visibleFromMs, isOwn: true, after: newestPosition })
}

const event = (beforeMs: number, kind: CheckEvent['kind']): CheckEvent => ({
  atMs: nowMs - beforeMs,
  kind,
  note: null,
})
const sample = (beforeMs: number, tookMs: number | null, locationKey = 0): CheckSample => ({
  locationKey,
  atMs: nowMs - beforeMs,
  tookMs,
})

test('days begin with the first one that was observed, and outages of the server are unobserved', async () => {
  const history = await read({
    events: [event(30 * hourMs, 'up'), event(6 * hourMs, 'down'), event(2 * hourMs, 'unobserved')],
    outages: [{ fromMs: nowMs - 20 * hourMs, toMs: nowMs - 14 * hourMs }],
  })
  expect(history.days).toEqual([
    {
      day: '2026-01-30',
      upS: 12 * 3600,
      downS: 0,
      unobservedS: 12 * 3600,
      flips: 1,
      status: 'up',
      p50Ms: null,
      p95Ms: null,
    },
    {
      day: '2026-01-31',
      upS: 6 * 3600,
      downS: 4 * 3600,
      unobservedS: 2 * 3600,
      flips: 1,
      status: 'down',
      p50Ms: null,
      p95Ms: null,
    },
  ])
  expect(history.spans.map(({ status }) => status)).toEqual([
    'up',
    'unobserved',
    'up',
    'down',
    'unobserved',
  ])
  expect(history.windows[0]).toEqual({ window: '24h', uptime: 12 / 16, observed: 16 / 24 })
})

test('answers of this server are shown, the slowest of each minute, and a failure before any', async () => {
  const minute = 60_000
  const { samples } = await read({
    samples: [
      sample(25 * hourMs, 1),
      sample(10 * minute, 5),
      sample(10 * minute - 30_000, 9),
      sample(5 * minute, 5),
      sample(5 * minute - 30_000, null),
      sample(4 * minute, 3),
      sample(4 * minute, 8000, 2),
    ],
  })
  expect(samples.map(({ tookMs }) => tookMs)).toEqual([9, null, 3])
})

test('a day has the median and the slowest of twenty, as stored or from its answers so far', async () => {
  const tooks = [...Array.from({ length: 20 }, (_, at) => at + 1), null]
  const yesterdayMs = Date.UTC(2026, 0, 30)
  const all = {
    events: [event(60 * hourMs, 'up')],
    samples: [...tooks.map((tookMs, at) => sample(hourMs + at, tookMs)), sample(23 * hourMs, 99)],
    days: [
      { locationKey: 0, dayMs: yesterdayMs, p50Ms: 30, p95Ms: 40 },
      { locationKey: 7, dayMs: yesterdayMs, p50Ms: 1, p95Ms: 1 },
    ],
  }
  const slowness = async (visibleFromMs = 0) =>
    (await read(all, visibleFromMs)).days.map(({ day, p50Ms, p95Ms }) => [day, p50Ms, p95Ms])
  expect(await slowness()).toEqual([
    ['2026-01-29', null, null],
    ['2026-01-30', 30, 40],
    ['2026-01-31', 10, 19],
  ])
  // What is stored of a day says something of the time before it was public, too.
  expect(await slowness(yesterdayMs + hourMs)).toEqual([
    ['2026-01-30', 99, 99],
    ['2026-01-31', 10, 19],
  ])
})

test('many readers cost one reading of looks in 5 s', async () => {
  let reads = 0
  let atMs = nowMs
  const count = async () => {
    reads += 1
    return []
  }
  const { readPage } = readCheckHistory(
    {
      readEvents: async () => [],
      readSamples: count,
      readDays: count,
      listEvents: async () => [],
    },
    () => atMs,
    async () => [],
    async () => [],
  )
  const page = { visibleFromMs: 0, isOwn: false, after: newestPosition }
  for (let reader = 0; reader < 10; reader += 1) await readPage(check, page)
  expect(reads).toBe(2)
  atMs += 5000
  await readPage(check, page)
  expect(reads).toBe(4)
})

test('a location has the answers of its own, by the minute and by day', async () => {
  const yesterdayMs = Date.UTC(2026, 0, 30)
  const { locations } = await read(
    {
      samples: [sample(120_000, 8, 7), sample(60_000, 10, 7), sample(60_000, 99)],
      days: [
        { locationKey: 7, dayMs: yesterdayMs - dayMs, p50Ms: 1, p95Ms: 1 },
        { locationKey: 7, dayMs: yesterdayMs, p50Ms: 5, p95Ms: 6 },
        { locationKey: 0, dayMs: yesterdayMs, p50Ms: 30, p95Ms: 40 },
      ],
    },
    yesterdayMs,
  )
  expect(locations).toEqual([
    {
      id: 'location 7',
      name: 'Berlin',
      status: 'up',
      samples: [
        { at: '2026-01-31T11:58:00.000Z', tookMs: 8 },
        { at: '2026-01-31T11:59:00.000Z', tookMs: 10 },
      ],
      days: [
        { day: '2026-01-30', p50Ms: 5, p95Ms: 6 },
        { day: '2026-01-31', p50Ms: 8, p95Ms: 10 },
      ],
    },
  ])
})

const kinds = fc.constantFrom<CheckEvent['kind']>('up', 'down', 'unobserved')

test('days and windows add up to what each minute of a plain timeline says', async () => {
  const minuteMs = 60_000
  const shownDays = 3
  const sinceMs = nowMs - shownDays * dayMs
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(shownDays * 1440 - 1), kind: kinds }), { maxLength: 20 }),
      fc.array(fc.record({ at: fc.nat(shownDays * 1440 - 1), for: fc.nat(600) }), { maxLength: 3 }),
      fc.nat(shownDays * 1440),
      async (found, silences, visibleAt) => {
        const events = found
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, kind }) => ({ atMs: sinceMs + at * minuteMs, kind, note: null }))
        const outages = silences
          .toSorted((a, b) => a.at - b.at)
          .map(({ at, for: forMinutes }) => ({
            fromMs: sinceMs + at * minuteMs,
            toMs: Math.min(nowMs, sinceMs + (at + forMinutes) * minuteMs),
          }))
          .filter((one, at, all) => all.slice(0, at).every(({ toMs }) => toMs < one.fromMs))
        const visibleFromMs = sinceMs + visibleAt * minuteMs
        const history = await read({ events, outages }, visibleFromMs)
        const days = new Map<string, { up: number; down: number }>()
        let [up, down] = [0, 0]
        for (let atMs = sinceMs; atMs < nowMs; atMs += minuteMs) {
          const isSeen =
            atMs >= visibleFromMs &&
            !outages.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
          const kind = isSeen ? events.findLast((one) => one.atMs <= atMs)?.kind : undefined
          if (kind !== 'up' && kind !== 'down') continue
          const day = days.get(writeDay(atMs)) ?? { up: 0, down: 0 }
          day[kind] += 60
          days.set(writeDay(atMs), day)
          if (kind === 'up') up += 1
          else down += 1
        }
        for (const { day, upS, downS, unobservedS } of history.days) {
          const model = days.get(day) ?? { up: 0, down: 0 }
          expect([day, upS, downS]).toEqual([day, model.up, model.down])
          const wholeS = day === '2026-01-31' ? 12 * 3600 : 86_400
          expect(upS + downS + unobservedS).toBe(wholeS)
        }
        expect(history.days.reduce((sum, { upS }) => sum + upS, 0)).toBe(up * 60)
        const week = history.windows.find(({ window }) => window === '7d')
        expect(week?.uptime ?? null).toBe(up + down === 0 ? null : up / (up + down))
      },
    ),
  )
})
