import type { HistoryEvent } from '@astropelago/contract/history'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presenceStore } from './features/presence/presence-feature.ts'
import { Presence } from './features/presence/presence.ts'
import { sqlFlipStore } from './features/presence/flips/sql-flip-store.ts'
import { listEvents } from './features/history/history-routes.ts'
import { readHistory } from './features/history/read-history.ts'
import { daysReader, rollUpDays } from './features/history/roll-up-days.ts'
import { sqlHistoryStore } from './features/history/sql-history-store.ts'
import { windowsMs } from './history/uptimes.ts'
import { newestPosition, readPosition } from './page-position.ts'
import { StorageUnavailable } from './storage/storage-error.ts'
import type { Storage } from './storage/storage.ts'
import { insertDevice } from './test/factories.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'
import { propertyRuns } from './test/property-runs.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** Long, so that a test of 100 days needs few heartbeats. */
const windowMs = 6 * hourMs
/** The longest time between ticks that does not count as a sleeping machine. */
const tickMs = 9000
/** The last one has a schedule of its own. */
const keptOnlineMs = [windowMs, 11 * hourMs]
const deviceCount = keptOnlineMs.length
const keptDays = 90
/** Set back by less than this, the clock stands still instead. */
const futureMs = 10_000
/** Shrinking takes longer than a test may, and a test that ends in time tells which steps failed. */
const failEarly = { endOnFailure: true, timeout: 60_000 }
const rest = () => Promise.resolve()
const iso = (ms: number) => new Date(ms).toISOString()

type Status = 'online' | 'offline'
interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The model of a device: online until its deadline, which an outage moves. */
class ModelDevice {
  readonly flips: { readonly atMs: number; readonly status: Status }[] = []
  readonly #forMs: number
  #deadlineMs = 0
  #isOnline = false

  /** @param forMs how long a heartbeat keeps it online */
  constructor(forMs: number) {
    this.#forMs = forMs
  }

  get dueMs(): number | undefined {
    return this.#isOnline ? this.#deadlineMs : undefined
  }

  beat(atMs: number): void {
    this.passTo(atMs)
    if (!this.#isOnline) this.flips.push({ atMs, status: 'online' })
    this.#isOnline = true
    this.#deadlineMs = atMs + this.#forMs
  }

  passTo(atMs: number): void {
    if (!this.#isOnline || this.#deadlineMs > atMs) return
    this.flips.push({ atMs: this.#deadlineMs, status: 'offline' })
    this.#isOnline = false
  }

  outage({ fromMs, toMs }: Span): void {
    this.passTo(fromMs)
    if (this.#isOnline) this.#deadlineMs = Math.max(this.#deadlineMs, toMs + this.#forMs)
  }

  wentOfflineAfter(atMs: number): boolean {
    const last = this.flips.at(-1)
    return last?.status === 'offline' && last.atMs > atMs
  }

  /** Moves future flips to now. Of several, the last one counts, and the one that it ended. */
  clampTo(nowMs: number): void {
    const toCome = this.flips.filter(({ atMs }) => atMs >= nowMs)
    const past = this.flips.filter(({ atMs }) => atMs < nowMs)
    const isAsBefore = toCome.at(-1)?.status === past.at(-1)?.status
    const left = toCome.slice(isAsBefore ? -2 : -1).map(({ status }) => ({ status, atMs: nowMs }))
    this.flips.splice(0, Infinity, ...past, ...left)
    // How long no heartbeat was received is unknown, so an online device gets all of it again.
    if (this.#isOnline) this.#deadlineMs = nowMs + this.#forMs
  }
}

/** The model: asks for the status of each span without changes, and adds the spans up. */
class Model {
  readonly devices = keptOnlineMs.map((forMs) => new ModelDevice(forMs))
  outages: { readonly fromMs: number; toMs: number }[] = []

  outage(span: Span): void {
    const last = this.outages.at(-1)
    // Outages less than 10 seconds apart count as one.
    if (last && last.toMs + 10_000 >= span.fromMs) last.toMs = span.toMs
    else this.outages.push({ ...span })
    for (const device of this.devices) device.outage(span)
  }

  clampTo(nowMs: number): void {
    const fromMs = nowMs - windowMs
    const past = this.outages
      .filter((outage) => outage.fromMs <= nowMs)
      .map((outage) => ({ fromMs: outage.fromMs, toMs: Math.min(outage.toMs, nowMs) }))
    const joined = past.filter(({ toMs }) => toMs + 10_000 >= fromMs)
    this.outages = [
      ...past.filter((outage) => !joined.includes(outage)),
      { fromMs: Math.min(fromMs, ...joined.map((outage) => outage.fromMs)), toMs: nowMs },
    ]
    for (const device of this.devices) device.clampTo(nowMs)
  }

  /** Like `listEvents`: the newest first, and at the same time by kind. */
  eventsOf({ flips }: ModelDevice, firstMs: number) {
    return [
      ...flips
        .filter(({ atMs }) => atMs >= firstMs)
        .map(({ atMs, status }) => ({ at: iso(atMs), kind: status })),
      ...this.outages
        .filter(({ toMs }) => toMs > firstMs)
        .map(({ fromMs, toMs }) => ({
          at: iso(Math.max(fromMs, firstMs)),
          kind: 'unobserved',
          until: iso(toMs),
        })),
    ].toSorted((one, other) =>
      one.at === other.at ? (one.kind < other.kind ? 1 : -1) : one.at < other.at ? 1 : -1,
    )
  }

  stateAt({ flips }: ModelDevice, atMs: number, visibleFromMs: number): Status | 'unobserved' {
    if (atMs < visibleFromMs) return 'unobserved'
    if (this.outages.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)) return 'unobserved'
    return flips.findLast((flip) => flip.atMs <= atMs)?.status ?? 'unobserved'
  }

  /** All moments at which something may have changed, and the ends of the span. */
  timesIn(device: ModelDevice, { fromMs, toMs }: Span, visibleFromMs: number): readonly number[] {
    const changes = [
      fromMs,
      toMs,
      visibleFromMs,
      ...device.flips.map(({ atMs }) => atMs),
      ...this.outages.flatMap((outage) => [outage.fromMs, outage.toMs]),
    ]
    return [...new Set(changes)]
      .filter((atMs) => atMs >= fromMs && atMs <= toMs)
      .toSorted((a, b) => a - b)
  }

  firstSeenMs(device: ModelDevice, span: Span, visibleFromMs: number): number | null {
    const times = this.timesIn(device, span, visibleFromMs).slice(0, -1)
    return times.find((atMs) => this.stateAt(device, atMs, visibleFromMs) !== 'unobserved') ?? null
  }

  secondsOf(device: ModelDevice, { fromMs, toMs }: Span, visibleFromMs: number) {
    const seconds = { online: 0, offline: 0, unobserved: 0 }
    const times = this.timesIn(device, { fromMs, toMs }, visibleFromMs)
    for (const [at, atMs] of times.slice(0, -1).entries()) {
      const state = this.stateAt(device, atMs, visibleFromMs)
      seconds[state] += ((times[at + 1] ?? atMs) - atMs) / 1000
    }
    const flips = device.flips.filter(
      ({ atMs }) => atMs >= Math.max(fromMs, visibleFromMs) && atMs < fromMs + dayMs,
    )
    const isSeen = seconds.online + seconds.offline > 0
    const last = device.flips.findLast(({ atMs }) => atMs < fromMs + dayMs)
    return { ...seconds, flips: flips.length, last: isSeen ? (last?.status ?? null) : null }
  }
}

/** A server that can crash and sleep, on a real database, along with the model. */
async function setUp(storage: Storage) {
  const { db } = storage
  const wall = movableClock()
  let heardMs = 0
  /** Goes back only at a start, and then only by an amount that counts as wrong. */
  const clock = {
    now: () => {
      heardMs = Math.max(heardMs, wall.now())
      return heardMs
    },
    move: (ms: number) => wall.move(clock.now() - wall.now() + ms),
  }
  const kept = presenceStore(storage)
  const keys: number[] = []
  for (let made = 0; made < deviceCount; made += 1) keys.push(await insertDevice(db))
  const schedule = JSON.stringify({ kind: 'period', periodS: 36_000, graceS: 3600 })
  await db
    .updateTable('devices')
    .set({ schedule })
    .where('key', '=', keys.at(-1) ?? 0)
    .execute()
  const model = new Model()
  let markMs: number | null = null
  let isCut = false
  const mark = async (atMs: number) => {
    if (isCut) throw new StorageUnavailable('cut off')
    markMs = Math.max(markMs ?? 0, atMs)
  }
  const store = {
    ...kept,
    // In memory, because there are 8,640 marks a day.
    markAlive: mark,
    aliveMark: async () => markMs,
    clampTimes: async (nowMs: number) => {
      markMs = Math.min(markMs ?? 0, nowMs)
      await kept.clampTimes(nowMs)
    },
    commitHeartbeats: async (group: Parameters<typeof kept.commitHeartbeats>[0]) => {
      await mark(group.atMs)
      return await kept.commitHeartbeats(group)
    },
    recordOffline: async (...flips: Parameters<typeof kept.recordOffline>) => {
      await mark(flips[1])
      return await kept.recordOffline(...flips)
    },
  } satisfies typeof kept
  const load = () =>
    Presence.load({ store, clock: clock.now, windowMs, log: { warn: () => undefined } })
  let presence = await load()
  const history = sqlHistoryStore(db, { longReads: storage.longReads })
  const flips = sqlFlipStore(db, { pruneSize: 3, rest })

  const tick = async () => {
    await presence.tick().catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) throw error
    })
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += tickMs) {
      clock.move(Math.min(tickMs, ms - passed))
      await tick()
    }
    if (isCut) return
    for (const device of model.devices) device.passTo(clock.now())
  }

  return {
    model,
    pass,
    beat: async (who: number) => {
      await presence.heartbeat(keys[who] ?? 0)
      model.devices[who]?.beat(clock.now())
    },
    tick,
    /** Moves to some seconds after a deadline, without a tick since. */
    passDeadline: async (who: number) => {
      const dueMs = model.devices[who]?.dueMs
      if (dueMs === undefined) return
      await pass(dueMs - 3000 - clock.now())
      clock.move(dueMs + 4000 - clock.now())
      for (const device of model.devices) device.passTo(clock.now())
    },
    sleep: async (ms: number) => {
      const fromMs = clock.now()
      clock.move(ms)
      model.outage({ fromMs, toMs: clock.now() })
      await tick()
      await pass(0)
    },
    restart: async (downMs: number, isCrash: boolean) => {
      if (!isCrash) await presence.stop()
      const fromMs = markMs ?? clock.now()
      clock.move(downMs)
      if (fromMs < clock.now()) model.outage({ fromMs, toMs: clock.now() })
      presence = await load()
      await tick()
      for (const device of model.devices) device.passTo(clock.now())
    },
    setBack: async (ms: number) => {
      const startMs = clock.now() - ms
      const fromMs = startMs - windowMs
      // The outage of such a start would give these another window, which only a heartbeat would record.
      if (model.devices.some((device) => device.wentOfflineAfter(fromMs))) return
      await presence.stop()
      wall.move(startMs - wall.now())
      if (ms >= futureMs) {
        heardMs = 0
        model.clampTo(clock.now())
      }
      presence = await load()
      await tick()
    },
    cutOff: async (ms: number) => {
      const fromMs = markMs ?? clock.now()
      isCut = true
      await pass(ms)
      isCut = false
      model.outage({ fromMs, toMs: clock.now() })
      await tick()
      await pass(0)
    },
    rollUp: async () => {
      const recordedMs = presence.recordedUntilMs()
      if (recordedMs === null) return
      await rollUpDays({ store: history, flips, rest, flipsInStep: 5 }, recordedMs)
      const prunedMs = Math.floor((recordedMs - keptDays * dayMs) / dayMs) * dayMs
      await flips.prune(prunedMs, daysReader)
    },
    firstFlipMs: async () => {
      const [first] = (await Promise.all(keys.map((key) => kept.events(key)))).flat()
      return first?.atMs ?? Number.POSITIVE_INFINITY
    },
    check: async () => {
      const nowMs = clock.now()
      for (const [at, deviceKey] of keys.entries()) {
        const device = model.devices[at]
        if (device === undefined) continue
        for (const visibleFromMs of [0, nowMs - 3 * dayMs - 5 * hourMs]) {
          const reader = readHistory({
            store: history,
            clock: clock.now,
            presence,
          })
          const time = await reader.of({ deviceKey, visibleFromMs })
          const expectedDays = Array.from({ length: keptDays }, (_, ago) => {
            const startMs = (Math.floor(nowMs / dayMs) - (keptDays - 1 - ago)) * dayMs
            const toMs = Math.min(nowMs, startMs + dayMs)
            return { startMs, ...model.secondsOf(device, { fromMs: startMs, toMs }, visibleFromMs) }
          }).filter(({ startMs }) => startMs < nowMs)
          const first = expectedDays.findIndex(({ online, offline }) => online + offline > 0)
          expect(
            time.days(keptDays).map((day) => ({
              startMs: day.startMs,
              online: day.upMs / 1000,
              offline: day.downMs / 1000,
              unobserved: day.unseenMs / 1000,
              flips: day.flips,
              last: day.last === null ? null : day.last === 'up' ? 'online' : 'offline',
            })),
          ).toEqual(first === -1 ? [] : expectedDays.slice(first))
          const firstDayMs = Math.floor(nowMs / dayMs - keptDays) * dayMs
          const known = { fromMs: firstDayMs, toMs: nowMs }
          const firstMs = model.firstSeenMs(device, known, visibleFromMs)
          expect(time.firstMs).toBe(firstMs)
          const events = firstMs === null ? [] : model.eventsOf(device, firstMs)
          const asked = {
            deviceKey,
            firstMs: firstMs ?? Number.MAX_SAFE_INTEGER,
            unrecorded: time.unrecorded,
            unobserved: await reader.readUnobserved(),
            pageLength: Math.max(1, Math.ceil(events.length / 4)),
          }
          const listed: HistoryEvent[] = []
          let after: string | undefined
          do {
            const position = readPosition(after) ?? newestPosition
            const page = await listEvents(history, { ...asked, after: position })
            listed.push(...page.events)
            after = page.next ?? undefined
          } while (after !== undefined)
          expect(listed).toEqual(events)
          for (const forMs of Object.values(windowsMs)) {
            const told = model.secondsOf(
              device,
              { fromMs: nowMs - forMs, toMs: nowMs },
              visibleFromMs,
            )
            const seenS = told.online + told.offline
            const { uptime, observed } = time.share(forMs)
            expect(observed).toBeCloseTo(seenS / (forMs / 1000), 9)
            expect(uptime === null).toBe(seenS === 0)
            expect(uptime ?? 0).toBeCloseTo(seenS === 0 ? 0 : told.online / seenS, 9)
          }
          for (const { fromMs, toMs, state } of time.spans(dayMs)) {
            const status = { up: 'online', down: 'offline', unseen: 'unobserved' }[state]
            expect(model.stateAt(device, fromMs, visibleFromMs)).toBe(status)
            expect(model.stateAt(device, toMs - 1000, visibleFromMs)).toBe(status)
          }
        }
      }
    },
  }
}

const who = fc.nat(deviceCount - 1)
const seconds = (min: number, max: number) =>
  fc.integer({ min: min / 1000, max: max / 1000 }).map((s) => s * 1000)
const moves = [
  fc.record({ do: fc.constant('beat' as const), who }),
  fc.record({ do: fc.constant('pass' as const), ms: seconds(1000, 9 * hourMs) }),
  fc.record({ do: fc.constant('sleep' as const), ms: seconds(11_000, 30 * hourMs) }),
  fc.record({
    do: fc.constant('restart' as const),
    ms: seconds(0, 30 * hourMs),
    isCrash: fc.boolean(),
  }),
  fc.record({ do: fc.constant('cutOff' as const), ms: seconds(minuteMs, 2 * hourMs) }),
  fc.record({ do: fc.constant('passDeadline' as const), who }),
  fc.record({ do: fc.constant('rollUp' as const) }),
] as const

const setBack = fc.record({ do: fc.constant('setBack' as const), ms: seconds(1000, 9 * hourMs) })
const move = fc.oneof(...moves, setBack)
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never

/** A day that was rolled up before the clock went back into it, followed by flips at the same time. */
const afterMidnight: readonly Move[] = [
  { do: 'beat', who: 0 },
  { do: 'pass', ms: 9 * hourMs },
  { do: 'pass', ms: 9 * hourMs },
  { do: 'pass', ms: 7 * hourMs },
  { do: 'rollUp' },
  { do: 'setBack', ms: 2 * hourMs },
  { do: 'pass', ms: 2 * hourMs },
  { do: 'beat', who: 0 },
  { do: 'sleep', ms: 24 * hourMs },
  { do: 'rollUp' },
]
const flipsToCome: readonly Move[] = [
  { do: 'pass', ms: hourMs },
  { do: 'beat', who: 0 },
  { do: 'pass', ms: 7 * hourMs },
  { do: 'beat', who: 0 },
  { do: 'setBack', ms: 8 * hourMs },
  { do: 'pass', ms: hourMs },
]
/** An earlier outage, overlapped by one from a clock that was ahead. */
const outagesAtOnce: readonly Move[] = [
  { do: 'beat', who: 1 },
  { do: 'cutOff', ms: minuteMs },
  { do: 'pass', ms: 13_000 },
  { do: 'setBack', ms: futureMs },
  { do: 'passDeadline', who: 1 },
]

/** A first heartbeat after the clock went back to before the last sweep. */
const sweptAhead: readonly Move[] = [
  { do: 'beat', who: 0 },
  { do: 'passDeadline', who: 0 },
  { do: 'beat', who: 0 },
  { do: 'setBack', ms: 3 * hourMs },
  { do: 'beat', who: 1 },
  { do: 'pass', ms: 5 * hourMs },
]

async function act(server: Awaited<ReturnType<typeof setUp>>, step: Move): Promise<void> {
  await server.tick()
  if (step.do === 'beat') await server.beat(step.who)
  else if (step.do === 'pass') await server.pass(step.ms)
  else if (step.do === 'passDeadline') await server.passDeadline(step.who)
  else if (step.do === 'sleep') await server.sleep(step.ms)
  else if (step.do === 'restart') await server.restart(step.ms, step.isCrash)
  else if (step.do === 'setBack') await server.setBack(step.ms)
  else if (step.do === 'cutOff') await server.cutOff(step.ms)
  else await server.rollUp()
}

test('[P2] [P5] [H1] [H2] [H3] [H4] [H5] [H6] whatever happens to devices and the server, history is that of a plain model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (steps) => {
      const storage = await openTestStorage()
      const server = await setUp(storage)
      for (const step of steps) {
        await act(server, step)
        await server.check()
      }
      expect(server.model.devices).toHaveLength(deviceCount)
      // PostgreSQL allows only some hundreds of connections.
      await storage.close()
    }),
    {
      numRuns: propertyRuns(8),
      ...failEarly,
      examples: [[[...afterMidnight]], [[...flipsToCome]], [[...outagesAtOnce]], [[...sweptAhead]]],
    },
  )
}, 120_000)

test('[H5] the same holds across the 90 days after which flips are deleted', async () => {
  const days = fc.array(
    fc.record({
      passMs: seconds(0, 14 * hourMs).map((ms) => ms - (ms % 4000)),
      beats: fc.array(who, { maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 7 },
  )
  // No steps that set the clock back: what was pruned while it was ahead does not come back.
  const steps = fc.array(fc.oneof(...moves), { minLength: 10, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(steps, days, async (around, plan) => {
      const storage = await openTestStorage()
      const server = await setUp(storage)
      await server.beat(0)
      for (const step of around) await act(server, step)
      const first = await server.firstFlipMs()
      for (let day = 0; day < 93; day += 1) {
        const { passMs = hourMs, beats = [] } = plan[day % plan.length] ?? {}
        await server.tick()
        for (const one of beats) {
          await server.pass(passMs / 4)
          await server.beat(one)
        }
        await server.pass(passMs / 4)
        await server.sleep(dayMs - ((beats.length + 1) * passMs) / 4)
        await server.rollUp()
        if (day % 30 === 0 || day > 86) await server.check()
      }
      expect(await server.firstFlipMs()).toBeGreaterThan(first)
      for (const step of around) {
        await act(server, step)
        await server.check()
      }
      await storage.close()
    }),
    { numRuns: propertyRuns(1), ...failEarly },
  )
}, 120_000)
