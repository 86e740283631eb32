import {
  checkEventsPageLength,
  type CheckHistory,
  type CheckStatus,
  type LocationHistory,
} from '@astropelago/contract/checks'
import { historyDays } from '@astropelago/contract/history'
import type { Clock } from '../../clock.ts'
import { cachedEvents, historyStart, seenTime } from '../../history/seen-time.ts'
import {
  dayMs,
  dayStart,
  secondsOf,
  writeDay,
  type Change,
  type Seen,
} from '../../history/time-spans.ts'
import { uptimesOf } from '../../history/uptimes.ts'
import { isoTime } from '../../iso-time.ts'
import { cutPage, newestPosition, writePosition, type PagePosition } from '../../page-position.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { CheckDaySlowness, CheckRecord, CheckSample, ChecksStore } from './checks-store.ts'
import { presentCheck } from './present-check.ts'

const minuteMs = 60_000
/** How late a look of a location may be. */
const lateMs = 2 * minuteMs
/** Other locations have charts of their own. */
const ownLocation = 0

const seenOf = { up: 'up', down: 'down', unobserved: 'unseen' } as const satisfies Record<
  CheckStatus,
  Seen
>
const statusOf = { up: 'up', down: 'down', unseen: 'unobserved' } as const satisfies Record<
  Seen,
  CheckStatus
>

/** Those of these devices that are locations. */
export type ReadLocations = (
  deviceKeys: readonly number[],
) => Promise<
  readonly { readonly deviceKey: number; readonly id: string; readonly region: string | null }[]
>

export type ReadCheckHistory = ReturnType<typeof readCheckHistory>

/** Events and answers of before `visibleFromMs` are left out, and so are notes unless the reader owns them. */
export function readCheckHistory(
  store: Pick<ChecksStore, 'readEvents' | 'readSamples' | 'readDays' | 'listEvents'>,
  clock: Clock,
  readUnobserved: HistoryFeature['readUnobserved'],
  readLocations: ReadLocations,
) {
  const readEvents = cachedEvents(store.readEvents, clock)
  const readSamples = cachedEvents(store.readSamples, clock, (nowMs) => nowMs - dayMs)
  const readDays = cachedEvents(store.readDays, clock)

  const readTime = async (checkKey: number, visibleFromMs: number) => {
    const [events, unobserved] = await Promise.all([readEvents(checkKey), readUnobserved()])
    const nowMs = clock()
    const changes = events.map(({ atMs, kind }): Change => ({ atMs, state: seenOf[kind] }))
    return seenTime({ changes, unobserved, shownFromMs: visibleFromMs, nowMs })
  }

  const readOthers = async (
    samples: readonly CheckSample[],
    stored: readonly CheckDaySlowness[],
  ): Promise<LocationHistory[]> => {
    const others = samples.filter(({ locationKey }) => locationKey !== ownLocation)
    const byLocation = Map.groupBy(others, ({ locationKey }) => locationKey)
    if (byLocation.size === 0) return []
    const nowMs = clock()
    return (await readLocations([...byLocation.keys()])).map(({ deviceKey, id, region }) => {
      const ofLocation = byLocation.get(deviceKey) ?? []
      return {
        id,
        name: region,
        status: locationStatus(ofLocation, nowMs),
        samples: presentSamples(ofLocation),
        days: [...slownessByDay(deviceKey, ofLocation, stored)]
          .toSorted(([a], [b]) => a - b)
          .map(([startMs, { p50Ms, p95Ms }]) => ({ day: writeDay(startMs), p50Ms, p95Ms })),
      }
    })
  }

  const readFirst = async (checkKey: number, visibleFromMs: number) => {
    const [time, allSamples, allDays] = await Promise.all([
      readTime(checkKey, visibleFromMs),
      readSamples(checkKey),
      readDays(checkKey),
    ])
    const samples = allSamples.filter(({ atMs }) => atMs >= visibleFromMs)
    const stored = allDays.filter(({ dayMs: startMs }) => startMs >= visibleFromMs)
    const own = samples.filter(({ locationKey }) => locationKey === ownLocation)
    const slowness = slownessByDay(ownLocation, own, stored)
    return {
      windows: uptimesOf(time),
      days: time.days.slice(-historyDays).map((day) => {
        const { up, down, unseen } = secondsOf(day)
        const { p50Ms = null, p95Ms = null } = slowness.get(day.startMs) ?? {}
        return {
          day: writeDay(day.startMs),
          upS: up,
          downS: down,
          unobservedS: unseen,
          flips: day.flips,
          status: statusOf[day.last ?? 'unseen'],
          p50Ms,
          p95Ms,
        }
      }),
      spans: time.spans(dayMs).map(({ fromMs, toMs, state }) => ({
        from: isoTime(fromMs),
        to: isoTime(toMs),
        status: statusOf[state],
      })),
      samples: presentSamples(own),
      locations: await readOthers(samples, stored),
    }
  }

  return {
    readTime,
    readPage: async (
      check: CheckRecord,
      {
        visibleFromMs,
        isOwn,
        after,
      }: {
        readonly visibleFromMs: number
        readonly isOwn: boolean
        readonly after: PagePosition
      },
    ): Promise<CheckHistory> => {
      const isFirst = after === newestPosition
      const sinceMs = Math.max(visibleFromMs, historyStart(clock()))
      const page = { after, limit: checkEventsPageLength + 1, sinceMs }
      const [events, first] = await Promise.all([
        store.listEvents(check.key, page),
        isFirst ? readFirst(check.key, visibleFromMs) : undefined,
      ])
      const { shown, last } = cutPage(events, checkEventsPageLength)
      const { status, since } = presentCheck(check, visibleFromMs)
      return {
        status,
        since,
        ...(first ?? { windows: [], days: [], spans: [], samples: [] }),
        events: shown.map(({ atMs, kind, note }) => ({
          at: isoTime(atMs),
          kind,
          note: isOwn ? note : null,
        })),
        next: last === undefined ? null : writePosition({ atMs: last.atMs, id: last.kind }),
      }
    },
  }
}

const presentSamples = (samples: readonly CheckSample[]) =>
  slowestOfMinutes(samples).map(({ atMs, tookMs }) => ({ at: isoTime(atMs), tookMs }))

function locationStatus(samples: readonly CheckSample[], nowMs: number): CheckStatus {
  const [last, before] = [samples.at(-1), samples.at(-2)]
  if (last === undefined) return 'unobserved'
  const usualMs = before === undefined ? 0 : last.atMs - before.atMs
  if (nowMs - last.atMs > 2 * usualMs + lateMs) return 'unobserved'
  return last.tookMs === null && before?.tookMs === null ? 'down' : 'up'
}

/** As stored, or from the answers of days that have not been summed up yet. */
function slownessByDay(
  locationKey: number,
  samples: readonly CheckSample[],
  stored: readonly CheckDaySlowness[],
): ReadonlyMap<number, Pick<CheckDaySlowness, 'p50Ms' | 'p95Ms'>> {
  const days = new Map<number, number[]>()
  for (const { atMs, tookMs } of samples) {
    if (tookMs === null) continue
    const times = days.get(dayStart(atMs)) ?? []
    times.push(tookMs)
    days.set(dayStart(atMs), times)
  }
  const slowness = new Map<number, Pick<CheckDaySlowness, 'p50Ms' | 'p95Ms'>>()
  for (const [startMs, times] of days) {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
    slowness.set(startMs, { p50Ms: at(0.5), p95Ms: at(0.95) })
  }
  for (const day of stored) if (day.locationKey === locationKey) slowness.set(day.dayMs, day)
  return slowness
}

/** A failure counts as slower than any answer. */
function slowestOfMinutes(samples: readonly CheckSample[]): readonly CheckSample[] {
  const minutes = new Map<number, CheckSample>()
  for (const sample of samples) {
    const minute = Math.floor(sample.atMs / minuteMs)
    const slowest = minutes.get(minute)
    if (slowest === undefined || (sample.tookMs ?? Infinity) > (slowest.tookMs ?? Infinity)) {
      minutes.set(minute, sample)
    }
  }
  return [...minutes.values()]
}
