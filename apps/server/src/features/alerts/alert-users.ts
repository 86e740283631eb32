import { randomUUID } from 'node:crypto'
import type { AlertRules } from '@astropelago/contract/alert-rules'
import { alertMessagesPerDay } from '@astropelago/contract/limits'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore, ChangedItems, Turn, TurnEnd } from './alerts-store.ts'
import type { Channels, ReadyChannel } from './channels/channel.ts'
import { gatherMs } from './store-changes.ts'
import { nameOf, alertMs, type AlertItem, type DueRules, type Span } from './outages.ts'
import { quietUntilMs } from './quiet-hours.ts'
import type { IslandChangeSource } from './read-islands.ts'
import type { WarningSource } from './read-warnings.ts'
import {
  channelsForReports,
  reportsMs,
  reportsSubject,
  writeReportsMessage,
  type OpenReports,
  type ReportSource,
} from './read-reports.ts'
import { chooseChannels, defaultUserRules, rulesOfSubject, type UserRules } from './user-rules.ts'
import { writeMessage, type AlertedItem } from './write-message.ts'

/** Minimum time between two messages to one user. */
const pauseMs = 60_000
const dayMs = 86_400_000
/**
 * Beyond this many messages in a day, alerts about others' islands wait. Islands that flap must not use up
 * the limit for a user's own alerts.
 */
const messagesWithOthersPerDay = alertMessagesPerDay / 2
/** A turn makes one message per set of channels. Further sets wait for the next turn. */
const messagesInTurn = 10
/** Openings of islands are recorded this often. */
const islandWaitMs = 1000

export interface AlertUsersDeps {
  readonly store: Pick<
    AlertsStore,
    'dueTurns' | 'itemsOf' | 'itemsOfUsers' | 'nthNewestMs' | 'countSince' | 'endTurns'
  >
  readonly rules: Pick<AlertRulesStore, 'rulesOf'>
  readonly warnings: Pick<WarningSource, 'read'>
  readonly islands: Pick<IslandChangeSource, 'whoMayGetAlerts'>
  readonly reports: Pick<ReportSource, 'countOpen' | 'operators'>
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
  readonly publicUrl: string
  readonly makeId?: () => string
}

/** What delays a user's messages, and until when ([N7] to [N9]). */
export type Held = { readonly untilMs: number; readonly by: 'pause' | 'quiet-hours' | 'limit' }

export function heldUntil(
  nowMs: number,
  {
    toldMs,
    rules,
    limitedMs,
  }: {
    readonly toldMs: number | null
    readonly rules: Pick<AlertRules, 'quietHours' | 'timeZone'>
    /** Time of the user's message that is `alertMessagesPerDay`th from the newest. */
    readonly limitedMs: number | undefined
  },
): Held | undefined {
  const limitMs = limitedMs === undefined ? 0 : limitedMs + dayMs
  if (limitMs > nowMs) return { untilMs: limitMs, by: 'limit' }
  const quietMs = quietUntilMs(nowMs, rules)
  if (quietMs > nowMs) return { untilMs: quietMs, by: 'quiet-hours' }
  const pausedMs = (toldMs ?? 0) + pauseMs
  return pausedMs > nowMs ? { untilMs: pausedMs, by: 'pause' } : undefined
}

/**
 * Makes the messages of users whose turn is due: one per user about everything ([N6]), or one for each set
 * of channels that gets different alerts ([N15]).
 * @returns how many turns were taken
 */
export async function alertUsers(
  deps: AlertUsersDeps,
  {
    nowMs,
    islandsUntilMs,
    limit,
  }: {
    readonly nowMs: number
    /** Openings of islands have been read up to this time. */
    readonly islandsUntilMs: number
    readonly limit: number
  },
): Promise<number> {
  const { store, rules, channels, islands, readUnobserved, windowMs } = deps
  const turns = await store.dueTurns(nowMs, limit)
  if (turns.length === 0) return 0
  const userKeys = turns.map(({ userKey }) => userKey)
  const [rulesOf, itemsOf, ready, unobserved, limited, othersLimited, sent] = await Promise.all([
    rules.rulesOf(userKeys),
    store.itemsOfUsers(userKeys),
    channels.readyOf(userKeys),
    readUnobserved(),
    Promise.all(userKeys.map((key) => store.nthNewestMs(key, alertMessagesPerDay))),
    Promise.all(userKeys.map((key) => store.nthNewestMs(key, messagesWithOthersPerDay))),
    Promise.all(userKeys.map((key) => store.countSince(key, nowMs - dayMs))),
  ])
  const items = [...itemsOf.values()].flat()
  const [reportsOf, texts, mayBeTold] = await Promise.all([
    readReportsOf(deps, userKeys),
    readTexts(deps.warnings, items),
    islands.whoMayGetAlerts(
      items.flatMap(({ of, userKey, key }) =>
        of === 'island' ? [{ userKey, islandKey: key }] : [],
      ),
    ),
  ])
  const ends = turns.map((turn, at) =>
    takeTurn(turn, {
      nowMs,
      islandsUntilMs,
      mayBeTold,
      rules: rulesOf.get(turn.userKey) ?? defaultUserRules,
      unobserved,
      windowMs,
      items: (itemsOf.get(turn.userKey) ?? []).map((item) => withText(item, texts)),
      reports: reportsOf.get(turn.userKey),
      ready: ready.get(turn.userKey) ?? [],
      limitedMs: limited[at],
      othersFromMs: (othersLimited[at] ?? Number.NEGATIVE_INFINITY) + dayMs,
      messagesLeft: Math.min(messagesInTurn, alertMessagesPerDay - (sent[at] ?? 0)),
      publicUrl: deps.publicUrl,
      makeId: deps.makeId ?? randomUUID,
    }),
  )
  await store.endTurns(ends, nowMs)
  return turns.length
}

/** A user's pending alert about reports. */
interface ReportsToBeTold {
  readonly item: AlertItem
  /** Undefined if the user is no longer an operator. No message is made then. */
  readonly open: OpenReports | undefined
}

async function readReportsOf(
  { store, reports }: Pick<AlertUsersDeps, 'store' | 'reports'>,
  userKeys: readonly number[],
): Promise<ReadonlyMap<number, ReportsToBeTold>> {
  const kept = await store.itemsOf(userKeys.map(reportsSubject))
  if (kept.size === 0) return new Map()
  const operators = new Set(await reports.operators())
  const found = Array.from(kept.values(), async ({ away: item }) => {
    if (item === undefined) return []
    const open = operators.has(item.userKey) ? await reports.countOpen(item.sinceMs) : undefined
    return [[item.userKey, { item, open }] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

async function readTexts(
  warnings: AlertUsersDeps['warnings'],
  items: readonly AlertedItem[],
): Promise<ReadonlyMap<number, string>> {
  const keys = items.filter(({ of, endedMs }) => of === 'warning' && endedMs === null)
  if (keys.length === 0) return new Map()
  const reports = await warnings.read(keys.map(({ key }) => key))
  return new Map(
    reports.flatMap(({ deviceKey, status, text }) =>
      status === 'fail' && text !== null ? [[deviceKey, text] as const] : [],
    ),
  )
}

function withText(item: AlertedItem, texts: ReadonlyMap<number, string>): AlertedItem {
  const text = item.of === 'warning' && item.endedMs === null ? texts.get(item.key) : undefined
  return text === undefined ? item : { ...item, text }
}

interface TurnParts {
  readonly nowMs: number
  readonly islandsUntilMs: number
  readonly mayBeTold: Awaited<ReturnType<IslandChangeSource['whoMayGetAlerts']>>
  readonly rules: UserRules
  readonly unobserved: readonly Span[]
  readonly windowMs: number
  readonly items: readonly AlertedItem[]
  readonly reports: ReportsToBeTold | undefined
  readonly ready: readonly ReadyChannel[]
  readonly limitedMs: number | undefined
  /** When alerts about others' islands may go out again. */
  readonly othersFromMs: number
  readonly messagesLeft: number
  readonly publicUrl: string
  readonly makeId: () => string
}

/** A possible alert, with its rules and channels. */
interface Tellable {
  readonly item: AlertedItem
  readonly due: DueRules
  readonly channels: readonly ReadyChannel[]
  readonly notBeforeMs: number
}

function takeTurn({ userKey, toldMs }: Turn, parts: TurnParts): TurnEnd {
  const { nowMs, items, limitedMs, messagesLeft, publicUrl, makeId } = parts
  const { rules } = parts.rules
  const tellables = items.map((item) => tellableOf(item, parts))
  const kept = tellables.filter((tellable) => tellable !== undefined)
  const reports = takeReports(userKey, parts)
  const forgotten = [
    ...items
      .filter((_, at) => tellables[at] === undefined)
      .map((item): ChangedItems => ({ thing: item, items: {} })),
    ...reports.forgotten,
  ]
  const due = kept.filter((tellable) => isDue(tellable, parts))
  const isReportsTurn = reports.atMs !== null && reports.atMs <= nowMs
  if (due.length === 0 && !isReportsTurn) {
    const lookMs = earlier(nextLook(kept, nowMs), reports.atMs)
    return { userKey, lookMs, messages: [], changed: forgotten }
  }
  const held = heldUntil(nowMs, { toldMs, rules, limitedMs })
  if (held !== undefined) {
    return { userKey, lookMs: held.untilMs, messages: [], changed: forgotten }
  }
  const sets = Map.groupBy(due, ({ channels }) => channels.map(({ id }) => id).join(' '))
  const ofReports = isReportsTurn ? reports.messages : []
  const told = [...sets.values()].slice(0, messagesLeft - ofReports.length)
  const isAlerted = new Set(told.flat())
  const left = kept
    .filter((tellable) => !isAlerted.has(tellable) || tellable.item.endedMs === null)
    .map((tellable) => (isAlerted.has(tellable) ? toldNow(tellable, nowMs) : tellable))
  return {
    userKey,
    lookMs: earlier(nextLook(left, nowMs), isReportsTurn ? null : reports.atMs),
    messages: [
      ...ofReports,
      ...told.map((set) => ({
        id: makeId(),
        message: writeMessage(
          set.map(({ item }) => item),
          { publicUrl, timeZone: rules.timeZone, nowMs },
        ),
        channels: set[0]?.channels ?? [],
      })),
    ],
    changed: [...forgotten, ...whatIsLeft(kept, left), ...(isReportsTurn ? reports.changed : [])],
  }
}

/** The message about reports if it is due, and what stays pending afterwards ([N27]). */
function takeReports(
  userKey: number,
  { reports, rules, ready, nowMs, publicUrl, makeId }: TurnParts,
): {
  readonly atMs: number | null
  readonly messages: TurnEnd['messages']
  readonly changed: readonly ChangedItems[]
  readonly forgotten: readonly ChangedItems[]
} {
  const nothing = { atMs: null, messages: [], changed: [], forgotten: [] }
  if (reports === undefined) return nothing
  const { item, open } = reports
  const thing = reportsSubject(userKey)
  const channels = channelsForReports(rules, ready)
  if (open === undefined || channels.length === 0) {
    return { ...nothing, forgotten: [{ thing, items: {} }] }
  }
  // Reports that were settled meanwhile are not news.
  const isNews = open.newCount > 0
  const message = writeReportsMessage(open, { publicUrl, nowMs })
  const left = { ...item, times: 0, toldMs: isNews ? nowMs : item.toldMs }
  return {
    ...nothing,
    atMs: reportsMs(item),
    messages: isNews ? [{ id: makeId(), message, channels }] : [],
    changed: [{ thing, items: { away: left } }],
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

function toldNow(tellable: Tellable, nowMs: number): Tellable {
  return { ...tellable, item: { ...tellable.item, toldMs: nowMs } }
}

/** Undefined if its alerts are off, no channel is ready, or the user may no longer know of it ([N22]). */
function tellableOf(item: AlertedItem, parts: TurnParts): Tellable | undefined {
  const { rules: user, unobserved, windowMs, ready, mayBeTold } = parts
  if (item.of === 'island' && !mayBeTold(item.userKey, item.key)) return undefined
  const { maintenance, ...rules } = rulesOfSubject(item, user)
  const channels = chooseChannels(ready, rules.channels)
  if (!rules.isOn || channels.length === 0) return undefined
  const notBeforeMs = item.isOwn ? Number.NEGATIVE_INFINITY : parts.othersFromMs
  return { item, channels, notBeforeMs, due: { rules, maintenance, unobserved, windowMs } }
}

function tellFromMs({ item, due, notBeforeMs }: Tellable): number | null {
  const atMs = alertMs(item, due)
  return atMs === null ? null : Math.max(atMs, notBeforeMs)
}

function isDue(
  tellable: Tellable,
  { nowMs, islandsUntilMs }: Pick<TurnParts, 'nowMs' | 'islandsUntilMs'>,
): boolean {
  const untilMs = tellable.item.of === 'island' ? Math.min(nowMs, islandsUntilMs) : nowMs
  return (tellFromMs(tellable) ?? Number.POSITIVE_INFINITY) <= untilMs
}

/** Lists each thing once, even if nothing is left of it. */
function whatIsLeft(before: readonly Tellable[], left: readonly Tellable[]): ChangedItems[] {
  const leftOf = Map.groupBy(left, ({ item }) => nameOf(item))
  const things = new Map(before.map(({ item }) => [nameOf(item), item]))
  return Array.from(things, ([name, thing]) => {
    const items = (leftOf.get(name) ?? []).map(({ item }) => item)
    const away = items.find(({ endedMs }) => endedMs === null)
    const over = items.find(({ endedMs }) => endedMs !== null)
    return { thing, items: { ...(away && { away }), ...(over && { over }) } }
  })
}

function nextLook(tellables: readonly Tellable[], nowMs: number): number | null {
  const times = tellables.flatMap((tellable) => {
    const atMs = tellFromMs(tellable)
    if (atMs === null) return []
    const { of, toldMs } = tellable.item
    const lookMs = toldMs === null ? atMs + gatherMs : atMs
    // An island that waits for recorded changes must not make the next turn due at once.
    return [of === 'island' ? Math.max(lookMs, nowMs + islandWaitMs) : lookMs]
  })
  return times.length === 0 ? null : Math.min(...times)
}
