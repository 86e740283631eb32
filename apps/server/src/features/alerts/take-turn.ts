import { dayMs } from '../../history/time-spans.ts'
import { randomUUID } from 'node:crypto'
import type { AlertRules } from '@astropelago/contract/alert-rules'
import { alertMessagesPerDay } from '@astropelago/contract/limits'
import type { ChangedItems, Turn, TurnEnd } from './alerts-store.ts'
import type { ReadyChannel } from './channels/channel.ts'
import { alertMs, nameOf, type AlertItem, type Span } from './outages.ts'
import { quietUntilMs } from './quiet-hours.ts'
import { gatherMs } from './read-changes.ts'
import {
  channelsForReports,
  reportsDueMs,
  reportsSubject,
  writeReportsMessage,
  type OpenReports,
} from './read-reports.ts'
import { chooseChannels, rulesOfSubject, type UserRules } from './user-rules.ts'
import { writeMessage, type AlertedItem } from './write-message.ts'

const pauseMs = 60_000
/** Beyond so many messages in a day, alerts about others' islands wait: these may flap. */
const messagesWithOthersPerDay = alertMessagesPerDay / 2
const messagesInTurn = 10
const islandWaitMs = 1000

export interface PendingReports {
  readonly item: AlertItem
  /** Undefined if the user is no longer an operator. No message is made then. */
  readonly open: OpenReports | undefined
}

interface TurnParts {
  readonly nowMs: number
  /** Openings of islands have been read up to this time. */
  readonly islandsUntilMs: number
  readonly mayGetAlerts: (userKey: number, islandKey: number) => boolean
  readonly rules: UserRules
  readonly unobserved: readonly Span[]
  readonly windowMs: number
  readonly items: readonly AlertedItem[]
  readonly reports: PendingReports | undefined
  readonly ready: readonly ReadyChannel[]
  /** Times of the user's messages in the last day, newest first. */
  readonly sentMs: readonly number[]
  readonly publicUrl: string
}

interface Pending {
  readonly item: AlertedItem
  readonly channels: readonly ReadyChannel[]
  readonly atMs: number | null
}

/** Makes one message for each set of channels that gets different alerts ([N6], [N15]). */
export function takeTurn({ userKey, toldMs }: Turn, parts: TurnParts): TurnEnd {
  const { nowMs, islandsUntilMs, items, sentMs, publicUrl } = parts
  const { rules } = parts.rules
  const pending = items.flatMap((item) => pendingOf(item, parts) ?? [])
  const pendingItems = new Set(pending.map(({ item }) => item))
  const dropped = items.filter((item) => !pendingItems.has(item))
  const reports = takeReports(userKey, parts)
  const reportsMs = reports.atMs ?? null
  const forgotten = [...itemsLeft(dropped, []), ...reports.forgotten]
  const due = pending.filter(({ item, atMs }) => {
    const untilMs = item.of === 'island' ? Math.min(nowMs, islandsUntilMs) : nowMs
    return atMs !== null && atMs <= untilMs
  })
  const isReportsTurn = reportsMs !== null && reportsMs <= nowMs
  if (due.length === 0 && !isReportsTurn) {
    const dueMs = earlier(nextTurnMs(pending, nowMs), reportsMs)
    return { userKey, dueMs, messages: [], changed: forgotten }
  }
  const held = heldUntil(nowMs, { toldMs, sentMs }, rules)
  if (held !== undefined) {
    return { userKey, dueMs: held.untilMs, messages: [], changed: forgotten }
  }
  const sets = Map.groupBy(due, ({ channels }) => channels.map(({ id }) => id).join(' '))
  const { messages: reportsMessages = [], changed: changedReports = [] } = isReportsTurn
    ? reports
    : {}
  const messagesLeft = Math.min(messagesInTurn, alertMessagesPerDay - sentMs.length)
  const sentSets = [...sets.values()].slice(0, messagesLeft - reportsMessages.length)
  const sent = new Set(sentSets.flat())
  const left = pending.flatMap((one) => {
    if (!sent.has(one)) return [one]
    if (one.item.endedMs !== null) return []
    return pendingOf({ ...one.item, toldMs: nowMs }, parts) ?? []
  })
  const messages = sentSets.map((set) => ({
    id: randomUUID(),
    message: writeMessage(
      set.map(({ item }) => item),
      { publicUrl, timeZone: rules.timeZone, nowMs },
    ),
    channels: set[0]?.channels ?? [],
  }))
  return {
    userKey,
    dueMs: earlier(nextTurnMs(left, nowMs), isReportsTurn ? null : reportsMs),
    messages: [...reportsMessages, ...messages],
    changed: [
      ...forgotten,
      ...itemsLeft(
        pending.map(({ item }) => item),
        left.map(({ item }) => item),
      ),
      ...changedReports,
    ],
  }
}

/** The message about reports if it is due, and what stays pending afterwards ([N27]). */
function takeReports(userKey: number, { reports, rules, ready, nowMs, publicUrl }: TurnParts) {
  if (reports === undefined) return { forgotten: [] }
  const { item, open } = reports
  const subject = reportsSubject(userKey)
  const channels = channelsForReports(rules, ready)
  if (open === undefined || channels.length === 0) return { forgotten: [{ subject, items: {} }] }
  // Reports that were settled meanwhile are not news.
  const isNews = open.newCount > 0
  const message = writeReportsMessage(open, { publicUrl, nowMs })
  const left = { ...item, times: 0, toldMs: isNews ? nowMs : item.toldMs }
  return {
    forgotten: [],
    atMs: reportsDueMs(item),
    messages: isNews ? [{ id: randomUUID(), message, channels }] : [],
    changed: [{ subject, items: { away: left } }],
  }
}

/** What delays a user's messages, and until when ([N7] to [N9]). */
export function heldUntil(
  nowMs: number,
  { toldMs, sentMs }: Pick<Turn & TurnParts, 'toldMs' | 'sentMs'>,
  rules: Pick<AlertRules, 'quietHours' | 'timeZone'>,
): { readonly untilMs: number; readonly by: 'pause' | 'quiet-hours' | 'limit' } | undefined {
  const limitMs = underLimitMs(sentMs, alertMessagesPerDay)
  if (limitMs > nowMs) return { untilMs: limitMs, by: 'limit' }
  const quietMs = quietUntilMs(nowMs, rules)
  if (quietMs > nowMs) return { untilMs: quietMs, by: 'quiet-hours' }
  const pausedMs = (toldMs ?? 0) + pauseMs
  return pausedMs > nowMs ? { untilMs: pausedMs, by: 'pause' } : undefined
}

function underLimitMs(sentMs: readonly number[], limit: number): number {
  return (sentMs[limit - 1] ?? Number.NEGATIVE_INFINITY) + dayMs
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** Undefined if its alerts are off, no channel is ready, or the user may no longer know of it ([N22]). */
function pendingOf(item: AlertedItem, parts: TurnParts): Pending | undefined {
  const { rules: user, unobserved, windowMs, ready, mayGetAlerts, sentMs } = parts
  if (item.of === 'island' && !mayGetAlerts(item.userKey, item.key)) return undefined
  const { isOn, rules, maintenance, channels: chosen } = rulesOfSubject(item, user)
  const channels = chooseChannels(ready, chosen)
  if (!isOn || channels.length === 0) return undefined
  if (item.isUnobserved === true) return { item, channels, atMs: null }
  const atMs = alertMs(item, { rules, maintenance, unobserved, windowMs })
  if (atMs === null || item.isOwn) return { item, channels, atMs }
  const othersFromMs = underLimitMs(sentMs, messagesWithOthersPerDay)
  return { item, channels, atMs: Math.max(atMs, othersFromMs) }
}

/** Lists each subject once, even if nothing is left of it. */
function itemsLeft(before: readonly AlertItem[], left: readonly AlertItem[]): ChangedItems[] {
  const leftOf = Map.groupBy(left, nameOf)
  const subjects = new Map(before.map((item) => [nameOf(item), item]))
  return Array.from(subjects, ([name, subject]) => {
    const items = leftOf.get(name) ?? []
    const away = items.find(({ endedMs }) => endedMs === null)
    const over = items.find(({ endedMs }) => endedMs !== null)
    return { subject, items: { ...(away && { away }), ...(over && { over }) } }
  })
}

function nextTurnMs(pending: readonly Pending[], nowMs: number): number | null {
  const times = pending.flatMap(({ item: { of, toldMs }, atMs }) => {
    if (atMs === null) return []
    const turnMs = toldMs === null ? atMs + gatherMs : atMs
    // An island that waits for recorded changes must not make the next turn due at once.
    return [of === 'island' ? Math.max(turnMs, nowMs + islandWaitMs) : turnMs]
  })
  return times.length === 0 ? null : Math.min(...times)
}
