import {
  defaultAlertRules,
  sameRules,
  type AlertRules,
  type SubjectRules,
} from '@astropelago/contract/alert-rules'
import type { CheckStatus } from '@astropelago/contract/checks'
import { randomUUID } from 'node:crypto'
import { timeText } from '@astropelago/contract/time-text'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AlertMessage, ReadyChannel } from './features/alerts/channels/channel.ts'
import { dueMs as dueMsOf } from './features/alerts/outages.ts'
import { readChecks, readFlips } from './features/alerts/read-changes.ts'
import { DeliverySender } from './features/alerts/send-deliveries.ts'
import { sqlAlertRulesStore } from './features/alerts/sql-alert-rules-store.ts'
import { sqlAlertMessagesStore } from './features/alerts/sql-alert-messages-store.ts'
import { sqlAlertsStore } from './features/alerts/sql-alerts-store.ts'
import { noReports } from './features/alerts/testing/no-reports.ts'
import { alertUsers } from './features/alerts/alert-users.ts'
import { sqlChecksStore } from './features/checks/sql-checks-store.ts'
import { sqlFlipStore } from './features/presence/flips/sql-flip-store.ts'
import { presenceStore } from './features/presence/presence-feature.ts'
import { sqlDeviceReportsStore } from './features/presence/reports/sql-device-reports-store.ts'
import type { Database, Storage } from './storage/storage.ts'
import { insertCheck, insertDevice, insertUser } from './test/factories.ts'
import { foundCheck } from './test/found-check.ts'
import { movableClock } from './test/movable-clock.ts'
import { openTestStorage } from './test/open-test-storage.ts'
import { propertyRuns } from './test/property-runs.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const windowMs = 5 * minute
/** Documented promises: the pause between messages to one user, and the wait before the first. */
const pauseMs = minute
const gatherMs = 2 * second
const messagesPerDay = 200
/** The next night, clocks in Berlin are put forward. */
const startMs = Date.UTC(2026, 2, 28, 19)
/** The subjects of each user. */
const crews = [['device', 'check'], ['device']] as const
const words = { device: ['online', 'offline'], check: ['up', 'down'] } as const

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** An outage, over or not, as a message puts it. */
interface Said {
  readonly isUp: boolean
  readonly sinceMs: number
  readonly line: string
  /** When it was due. */
  readonly dueMs: number
}

/** A device or check as its owner sees it: reported as offline or down, or taken for well. */
class ModelSubject {
  readonly of: (typeof crews)[number][number]
  readonly id: string
  readonly label: string
  readonly #own: SubjectRules
  /** When nothing new is reported about it. */
  readonly maintenance: Span[] = []
  /** Outages that were not reported yet. The last one may still go on. */
  #absences: { readonly fromMs: number; toMs: number | null }[] = []
  #gone: { readonly sinceMs: number; saidMs: number; backMs: number | null } | undefined
  /** It went offline while its owner had alerts turned off. */
  #isIgnored = false
  isOnline = false
  /** Nothing is reported about a check meanwhile. */
  isUnobserved = false

  constructor({ of, id, label }: Pick<ModelSubject, 'of' | 'id' | 'label'>, own: SubjectRules) {
    this.of = of
    this.id = id
    this.label = label
    this.#own = own
  }

  flip(atMs: number, rules: AlertRules): void {
    this.isOnline = !this.isOnline
    this.isUnobserved = false
    const tellsOnline = this.#own.tellsOnline ?? rules.tellsOnline
    if (!rules.isOn || this.#own.isOn === false) return
    if (this.#isIgnored) {
      this.#isIgnored = !this.isOnline
      return
    }
    if (this.#gone !== undefined) {
      this.#gone.backMs = this.isOnline ? atMs : null
      if (this.isOnline && !tellsOnline) this.#gone = undefined
      return
    }
    const last = this.#absences.at(-1)
    if (!this.isOnline) this.#absences.push({ fromMs: atMs, toMs: null })
    else if (last?.toMs === null) last.toMs = atMs
  }

  /** Nobody can see it any more, or it is seen again as it was before. */
  turnUnobserved(atMs: number, rules: AlertRules): void {
    this.isUnobserved = !this.isUnobserved
    if (this.#gone !== undefined) return
    this.#absences = this.#absences.filter(({ toMs }) => toMs !== null)
    if (this.isUnobserved || this.isOnline) return
    this.#isIgnored = !rules.isOn || this.#own.isOn === false
    if (!this.#isIgnored) this.#absences.push({ fromMs: atMs, toMs: null })
  }

  /** Drops everything that happened, so that none of it is reported. */
  forget(): void {
    this.#absences = []
    this.#gone = undefined
    this.#isIgnored = !this.isOnline
  }

  /** What is due at that time. */
  say(nowMs: number, rules: AlertRules, outages: readonly Span[]): Said | undefined {
    if (this.isUnobserved) return undefined
    const down = words[this.of][1]
    const time = (atMs: number) => timeText(atMs, { timeZone: rules.timeZone, nowMs })
    const zone = `(${rules.timeZone}).`
    const span = (fromMs: number, toMs: number, times: number) =>
      `${times === 1 ? '' : `${times} times `}from ${time(fromMs)} to ${time(toMs)}`
    const spanLine = (...parts: Parameters<typeof span>) => `was ${down} ${span(...parts)} ${zone}`
    if (this.#gone !== undefined) {
      const { sinceMs, saidMs, backMs } = this.#gone
      if (backMs !== null) {
        const line = spanLine(sinceMs, backMs, 1)
        return { isUp: true, sinceMs: backMs, line, dueMs: backMs }
      }
      if (rules.repeatHours === null) return undefined
      const dueMs = afterSpans(saidMs + rules.repeatHours * hour, this.maintenance)
      const line = `still ${down} since ${time(sinceMs)} ${zone}`
      return dueMs > nowMs ? undefined : { isUp: false, sinceMs, line, dueMs }
    }
    const graceMs = (this.#own.graceS ?? rules.graceS) * second
    const graceEnd = ({ fromMs }: { readonly fromMs: number }) =>
      endOfGrace(fromMs, { graceMs, outages, maintenance: this.maintenance })
    const open = this.#absences.find(({ toMs }) => toMs === null)
    const isAway = open !== undefined && graceEnd(open) <= nowMs
    const long = this.#absences.filter((one) => one.toMs !== null && one.toMs >= graceEnd(one))
    const [first, last] = [long[0], long.at(-1)]
    if (first?.toMs == null || last?.toMs == null) {
      if (!isAway) return undefined
      const line = `${down} since ${time(open.fromMs)} ${zone}`
      return { isUp: false, sinceMs: open.fromMs, line, dueMs: graceEnd(open) }
    }
    if (isAway) {
      const before = span(first.fromMs, last.toMs, long.length)
      const line = `${down} since ${time(open.fromMs)}; before that ${before} ${zone}`
      return { isUp: false, sinceMs: open.fromMs, line, dueMs: first.toMs }
    }
    const line = spanLine(first.fromMs, last.toMs, long.length)
    return { isUp: true, sinceMs: last.toMs, line, dueMs: first.toMs }
  }

  wasTold({ isUp, sinceMs }: Said, nowMs: number): void {
    if (isUp) {
      this.#gone = undefined
      this.#absences = this.#absences.filter(({ toMs }) => toMs === null)
    } else {
      this.#gone = { sinceMs, saidMs: nowMs, backMs: null }
      this.#absences = []
    }
  }
}

/**
 * Counts the grace period down second by second, but only while a server could receive heartbeats. It
 * begins again after maintenance.
 */
function endOfGrace(
  fromMs: number,
  {
    graceMs,
    outages,
    maintenance,
  }: {
    readonly graceMs: number
    readonly outages: readonly Span[]
    readonly maintenance: readonly Span[]
  },
): number {
  let leftMs = graceMs
  let lostMs = 0
  // Maintenance may end during an outage of the server. No flip is recorded then.
  let beginsUnheard = false
  for (let atMs = fromMs; ; atMs += second) {
    const afterMs = afterSpans(atMs, maintenance)
    if (afterMs > atMs) {
      leftMs = graceMs
      lostMs = 0
      atMs = afterMs
      beginsUnheard = isIn(atMs - 1, outages) && isIn(atMs, outages)
    }
    if (leftMs === 0 && !beginsUnheard) return atMs
    if (isIn(atMs, outages)) {
      lostMs += second
      if (!isIn(atMs + second, outages)) {
        leftMs = Math.max(leftMs, Math.min(lostMs, windowMs))
        beginsUnheard = false
      }
    } else {
      lostMs = 0
      leftMs -= second
    }
  }
}

function isIn(atMs: number, spans: readonly Span[]): boolean {
  return spans.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
}

function afterSpans(atMs: number, spans: readonly Span[]): number {
  const during = spans.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  return during === undefined ? atMs : afterSpans(during.toMs, spans)
}

class ModelUser {
  rules: AlertRules
  readonly hasChannel: boolean
  readonly subjects: readonly ModelSubject[]
  /** When messages were made. */
  readonly toldMs: number[]

  constructor(
    rules: AlertRules,
    subjects: readonly ModelSubject[],
    { hasChannel, toldMs }: { readonly hasChannel: boolean; readonly toldMs: readonly number[] },
  ) {
    this.rules = rules
    this.subjects = subjects
    this.hasChannel = hasChannel
    this.toldMs = [...toldMs]
  }

  isHeld(nowMs: number, lastOwnMs: number): boolean {
    if (lastOwnMs + pauseMs > nowMs) return true
    if (this.toldMs.filter((atMs) => atMs > nowMs - day).length >= messagesPerDay) return true
    const { quietHours, timeZone } = this.rules
    if (quietHours === null) return false
    const { from, to } = quietHours
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(nowMs)
    return from < to ? shown >= from && shown < to : shown >= from || shown < to
  }
}

const channel: ReadyChannel = { key: 1, id: 'c1', kind: 'webhook', name: 'Work' }

interface Plan {
  readonly rules: AlertRules
  /** The rules of each subject. */
  readonly own: readonly SubjectRules[]
  readonly hasChannel: boolean
  /** The number of messages on the day before. */
  readonly toldBefore: number
}

async function insertSubject(db: Database, of: ModelSubject['of'], userKey: number) {
  if (of === 'check') return { ...(await insertCheck(db, { userKey })), label: 'Backup' }
  const key = await insertDevice(db, userKey)
  const label = `Device ${key}`
  const { id } = await db
    .updateTable('devices')
    .set({ label })
    .where('key', '=', key)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { key, id, label }
}

/** Everything between flips and receivers, on a real database, along with the model. */
async function setUp(storage: Storage, plans: readonly Plan[]) {
  const { db } = storage
  const clock = movableClock(startMs)
  const presence = presenceStore(storage)
  const store = sqlAlertsStore(db)
  const messages = sqlAlertMessagesStore(db)
  const rulesStore = sqlAlertRulesStore(db)
  const checks = sqlChecksStore(storage)
  const outages: Span[] = []
  const users = new Map<number, ModelUser>()
  const subjects: {
    readonly key: number
    readonly userKey: number
    readonly subject: ModelSubject
  }[] = []
  for (const [at, { rules, own, hasChannel, toldBefore }] of plans.entries()) {
    const userKey = await insertUser(db)
    const ofUser: ModelSubject[] = []
    for (const [made, of] of (crews[at] ?? []).entries()) {
      const { key, id, label } = await insertSubject(db, of, userKey)
      const ownRules = own[made] ?? sameRules
      await rulesStore.changeSubjectRules(userKey, { of, key }, () => ownRules, startMs)
      const subject = new ModelSubject({ of, id, label }, ownRules)
      ofUser.push(subject)
      subjects.push({ key, userKey, subject })
    }
    const toldMs = Array.from({ length: toldBefore }, (_, n) => startMs - day + 20 * minute + n)
    users.set(userKey, new ModelUser(rules, ofUser, { hasChannel, toldMs }))
    await rulesStore.changeRules(userKey, () => rules, startMs)
    const message = JSON.stringify({
      kind: 'offline',
      title: '',
      lines: [],
      url: '',
      atMs: 0,
      items: [],
    })
    if (toldBefore > 0) {
      await db
        .insertInto('alert_messages')
        .values(
          toldMs.map((at_ms, n) => ({ id: `${userKey}-${n}`, user_key: userKey, at_ms, message })),
        )
        .execute()
    }
  }
  await presence.commitHeartbeats({
    atMs: startMs,
    stayed: [],
    cameOnline: subjects.flatMap(({ key, subject: { of } }) => (of === 'device' ? [key] : [])),
  })
  for (const { subject } of subjects) subject.isOnline = true

  const sent: { readonly userKey: number; readonly key: string; readonly message: AlertMessage }[] =
    []
  let killed = { beforeCommit: false, whileSending: false }
  const dies = () => {
    if (killed.beforeCommit) throw new Error('killed')
  }
  const deps = {
    messages,
    store: {
      ...store,
      storeRead: async (...read: Parameters<typeof store.storeRead>) => {
        dies()
        await store.storeRead(...read)
      },
      endTurns: async (...ends: Parameters<typeof store.endTurns>) => {
        dies()
        await store.endTurns(...ends)
      },
    },
    rules: rulesStore,
    warnings: sqlDeviceReportsStore(storage),
    checks,
    islands: { whoMayGetAlerts: async () => () => false },
    reports: noReports,
    flips: sqlFlipStore(db),
    channels: {
      readyOf: async (keys: readonly number[]) => {
        const ready = keys.filter((key) => users.get(key)?.hasChannel)
        return new Map(ready.map((key) => [key, [{ ...channel, key }]]))
      },
      sendTo: async (userKey: number, message: AlertMessage, key: string) => {
        sent.push({ userKey, key, message })
        if (killed.whileSending) throw new Error('killed')
        return { isOk: true, note: 'It answered 204.' } as const
      },
    },
    readUnobserved: async () => outages,
    windowMs,
    publicUrl: 'https://sky.example',
    mayBegin: () => true,
  }
  const start = () =>
    new DeliverySender({
      ...deps,
      store: messages,
      clock: clock.now,
      log: { error: () => undefined },
    })
  let sender = start()
  const known = new Set<string>()
  const lastOwnMs = new Map<number, number>()

  const send = async () => {
    await sender.begin()
    await sender.settled()
  }

  /** Compares what was sent since the last check with what was due by now. */
  const check = () => {
    const nowMs = clock.now()
    const fresh = sent.filter(({ key }) => !known.has(key))
    for (const { key } of fresh) known.add(key)
    for (const [userKey, user] of users) {
      const told = fresh.filter((one) => one.userKey === userKey)
      const isAlerted = user.rules.isOn && user.hasChannel
      if (!user.rules.isOn) for (const subject of user.subjects) subject.forget()
      const said = (isAlerted ? user.subjects : []).flatMap((subject) => {
        const one = subject.say(nowMs, user.rules, outages)
        return one === undefined ? [] : [{ subject, ...one }]
      })
      const mayTell = isAlerted && !user.isHeld(nowMs, lastOwnMs.get(userKey) ?? 0)
      const isLate = said.some(({ dueMs }) => dueMs <= nowMs - gatherMs)
      expect(told.length).toBeLessThanOrEqual(mayTell ? 1 : 0)
      expect(told.length).toBeGreaterThanOrEqual(mayTell && isLate ? 1 : 0)
      const [message] = told
      if (message === undefined) continue
      const isOnlyOne = said.length === 1
      expect(
        message.message.items
          .map(({ id, status, sinceMs }) => `${id} ${status} ${sinceMs}`)
          .toSorted(),
      ).toEqual(
        said
          .map(
            ({ subject: { of, id }, isUp, sinceMs }) =>
              `${id} ${words[of][isUp ? 0 : 1]} ${sinceMs}`,
          )
          .toSorted(),
      )
      expect(message.message.lines.toSorted()).toEqual(
        said
          .map(({ subject, line }) => (isOnlyOne ? line : `${subject.label}: ${line}`))
          .toSorted(),
      )
      user.toldMs.push(nowMs)
      lastOwnMs.set(userKey, nowMs)
      for (const one of said) one.subject.wasTold(one, nowMs)
    }
  }

  const whom = (who: number) => {
    const found = subjects[who % subjects.length]
    const user = users.get(found?.userKey ?? 0)
    if (found === undefined || user === undefined) throw new Error('there is nobody')
    return { ...found, user }
  }
  let lookedMs = 0
  const recordCheck = async (checkKey: number, status: CheckStatus) => {
    // No two events of a check have the same time.
    if (clock.now() === lookedMs) clock.move(second)
    lookedMs = clock.now()
    await checks.record([foundCheck(checkKey, status, { atMs: lookedMs })])
    return lookedMs
  }

  return {
    pass: (ms: number) => clock.move(ms),
    flip: async (who: number) => {
      const { key, subject, user } = whom(who)
      if (subject.of === 'check') {
        subject.flip(await recordCheck(key, subject.isOnline ? 'down' : 'up'), user.rules)
        return
      }
      const atMs = clock.now()
      if (subject.isOnline) {
        const [record] = await presence.read([key])
        const flips =
          record === undefined ? [] : [{ deviceKey: key, lastSeenMs: record.lastSeenMs, atMs }]
        await presence.recordOffline(flips, atMs)
      } else await presence.commitHeartbeats({ atMs, stayed: [], cameOnline: [key] })
      subject.flip(atMs, user.rules)
    },
    turnUnobserved: async (who: number) => {
      const { key, subject, user } = whom(who)
      if (subject.of === 'device') return
      const status = subject.isOnline ? 'up' : 'down'
      const atMs = await recordCheck(key, subject.isUnobserved ? status : 'unobserved')
      subject.turnUnobserved(atMs, user.rules)
    },
    outage: (ms: number) => {
      const fromMs = clock.now()
      clock.move(ms)
      outages.push({ fromMs, toMs: clock.now() })
    },
    change: async (who: number, changes: Partial<AlertRules>) => {
      const [userKey, user] = [...users][who % users.size] ?? []
      if (userKey === undefined || user === undefined) return
      user.rules = { ...user.rules, ...changes }
      await rulesStore.changeRules(userKey, (rules) => ({ ...rules, ...changes }), clock.now())
    },
    maintain: async (
      who: number,
      inMs: number,
      { ms, isOfAll }: { readonly ms: number; readonly isOfAll: boolean },
    ) => {
      const { userKey, subject, user } = whom(who)
      const fromMs = clock.now() + inMs
      const span = { fromMs, toMs: fromMs + ms }
      const named = isOfAll ? null : [subject.id]
      const devices = subject.of === 'device' ? named : null
      const checkIds = subject.of === 'check' ? named : null
      await rulesStore.insertMaintenance(
        userKey,
        { id: randomUUID(), ...span, devices, islands: null, checks: checkIds, note: null },
        { nowMs: clock.now(), limit: 50 },
      )
      for (const one of isOfAll ? user.subjects : [subject]) one.maintenance.push(span)
    },
    look: async () => {
      const nowMs = clock.now()
      while (await readFlips(deps, { nowMs, limit: 2 })) continue
      while (await readChecks(deps, { nowMs, limit: 2 })) continue
      while ((await alertUsers(deps, { nowMs, islandsUntilMs: nowMs, limit: 1 })) === 1) continue
      await send()
      check()
    },
    /** A server that is killed at some moment, and keeps only what it had done by then. */
    killedLook: async (moment: 'reading' | 'between' | 'telling' | 'sending') => {
      const nowMs = clock.now()
      killed = { beforeCommit: moment === 'reading', whileSending: moment === 'sending' }
      const alive = async () => {
        while (await readFlips(deps, { nowMs, limit: 2 })) continue
        while (await readChecks(deps, { nowMs, limit: 2 })) continue
        if (moment === 'between') return false
        killed.beforeCommit = moment === 'telling'
        while ((await alertUsers(deps, { nowMs, islandsUntilMs: nowMs, limit: 1 })) === 1) continue
        await send()
        return true
      }
      // A server with nothing to read is not killed.
      const hasTold = await alive().catch((error: unknown) => {
        if (!(error instanceof Error && error.message === 'killed')) throw error
        return false
      })
      killed = { beforeCommit: false, whileSending: false }
      sender = start()
      if (hasTold) check()
    },
    /** Call it once everything that was due is sent. */
    countSent: async () => {
      await send()
      const rows = await db.selectFrom('alert_deliveries').select('state').execute()
      expect(rows.every(({ state }) => state === 'sent')).toBe(true)
      expect(rows).toHaveLength(known.size)
      return Map.groupBy(sent, ({ key }) => key)
    },
  }
}

const seconds = (min: number, max: number) => fc.integer({ min, max }).map((s) => s * second)
const quietHours = fc.constantFrom(
  null,
  null,
  { from: '22:00', to: '07:00' },
  { from: '00:30', to: '02:30' },
  { from: '20:00', to: '20:30' },
)
const repeatHours = fc.constantFrom(null, 1, 2)
const plan: fc.Arbitrary<Plan> = fc.record({
  rules: fc
    .record({
      isOn: fc.constant(true),
      graceS: fc.constantFrom(0, 0, 30, 600),
      tellsOnline: fc.boolean(),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
      quietHours,
      repeatHours,
    })
    .map((rules) => Object.assign({}, defaultAlertRules, rules)),
  own: fc.array(
    fc
      .record({
        isOn: fc.constantFrom(null, null, true, false),
        graceS: fc.constantFrom(null, null, 0, 60),
        tellsOnline: fc.constantFrom(null, null, true, false),
      })
      .map((rules) => Object.assign({}, sameRules, rules)),
    { minLength: 2, maxLength: 2 },
  ),
  hasChannel: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  toldBefore: fc.constantFrom(0, 0, 0, 198, 200),
})
const who = fc.nat(9)
const gap = fc.oneof(
  { weight: 4, arbitrary: seconds(0, 5) },
  { weight: 4, arbitrary: seconds(5, 90) },
  { weight: 2, arbitrary: fc.constantFrom(30, 60, 600, 3600).map((s) => s * second) },
  { weight: 1, arbitrary: seconds(90, 3 * 3600) },
)
const move = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('flip' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unobserved' as const), who }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), ms: seconds(5, 1200) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('maintain' as const),
      who,
      inMs: seconds(1, 90),
      span: fc.record({ ms: seconds(1, 7200), isOfAll: fc.boolean() }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('killed' as const),
      moment: fc.constantFrom('reading', 'between', 'telling', 'sending'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      who,
      changes: fc.oneof(
        fc.record({ quietHours }),
        fc.record({ repeatHours }),
        fc.record({ isOn: fc.boolean() }),
      ),
    }),
  },
)
const step = fc.record({ passMs: gap, move })

/**
 * Spans that don't overlap. They begin after the device went offline, because earlier ones change nothing.
 */
function oneAfterTheOther(
  gaps: readonly { readonly afterMs: number; readonly ms: number }[],
): Span[] {
  let lastMs = 0
  return gaps.map(({ afterMs, ms }) => {
    const fromMs = lastMs + second + afterMs
    lastMs = fromMs + ms
    return { fromMs, toMs: lastMs }
  })
}

test('[N2] [N3] [N16] the grace period counts only observed seconds, and begins anew after maintenance', () => {
  const span = fc.record({ afterMs: seconds(0, 900), ms: seconds(1, 900) })
  const spans = fc.array(span, { maxLength: 4 })
  const grace = fc.oneof(fc.constant(0), seconds(0, 600))
  fc.assert(
    fc.property(grace, spans, spans, (graceMs, outages, planned) => {
      const unobserved = oneAfterTheOther(outages)
      const maintenance = oneAfterTheOther(planned)
      const rules = { ...defaultAlertRules, graceS: graceMs / second }
      const due = dueMsOf(0, { rules, unobserved, maintenance, windowMs })
      expect(due).toBe(endOfGrace(0, { graceMs, outages: unobserved, maintenance }))
    }),
    { numRuns: 500 },
  )
})

test('[N1] [N2] [N3] [N4] [N5] [N6] [N7] [N8] [N9] [N10] [N14] [N16] [N29] whatever happens, users get the alerts of a plain model, each exactly once', async () => {
  const steps = fc.array(step, { minLength: 10, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.tuple(plan, plan), steps, async (plans, all) => {
      const storage = await openTestStorage()
      const server = await setUp(storage, plans)
      await server.look()
      let wasKilled = false
      for (const { passMs, move: one } of all) {
        server.pass(passMs)
        if (one.do === 'flip') await server.flip(one.who)
        else if (one.do === 'unobserved') await server.turnUnobserved(one.who)
        else if (one.do === 'outage') server.outage(one.ms)
        else if (one.do === 'killed') {
          wasKilled ||= one.moment === 'sending'
          await server.killedLook(one.moment)
        } else if (one.do === 'maintain') {
          await server.look()
          await server.maintain(one.who, one.inMs, one.span)
          await server.look()
        } else if (one.do === 'change') {
          await server.look()
          await server.change(one.who, one.changes)
          await server.look()
        } else await server.look()
      }
      // Until everything that was held back is due.
      for (const passMs of [3, 61, 61, 12 * 3600, 14 * 3600]) {
        server.pass(passMs * second)
        await server.look()
      }
      for (const tries of (await server.countSent()).values()) {
        expect(wasKilled || tries.length === 1).toBe(true)
        expect(new Set(tries.map(({ message }) => JSON.stringify(message))).size).toBe(1)
      }
      // PostgreSQL allows only some hundreds of connections.
      await storage.close()
    }),
    // Shrinking a case of forty steps takes minutes.
    { numRuns: propertyRuns(10), endOnFailure: true },
  )
}, 120_000)
