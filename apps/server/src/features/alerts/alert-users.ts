import { dayMs } from '../../history/time-spans.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import type { AlertMessagesStore } from './alert-messages-store.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import type { Span } from './outages.ts'
import { reportsSubject, type ReportSource } from './read-reports.ts'
import { takeTurn, type PendingReports } from './take-turn.ts'
import { defaultUserRules } from './user-rules.ts'
import type { AlertedItem } from './write-message.ts'

interface AlertUsersDeps {
  readonly store: Pick<AlertsStore, 'dueTurns' | 'itemsOf' | 'itemsOfUsers' | 'endTurns'>
  readonly messages: Pick<AlertMessagesStore, 'timesSince'>
  readonly rules: Pick<AlertRulesStore, 'rulesOf'>
  readonly warnings: Pick<PresenceFeature['reports'], 'read'>
  readonly islands: Pick<IslandsFeature['alerts'], 'whoMayGetAlerts'>
  readonly reports: Pick<ReportSource, 'countOpen' | 'operators'>
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
  readonly publicUrl: string
}

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
  const { store, messages, islands, windowMs, publicUrl } = deps
  const dueTurns = await store.dueTurns(nowMs, limit)
  if (dueTurns.length === 0) return 0
  const userKeys = dueTurns.map(({ userKey }) => userKey)
  const [rulesOf, itemsOf, ready, unobserved, turns] = await Promise.all([
    deps.rules.rulesOf(userKeys),
    store.itemsOfUsers(userKeys),
    deps.channels.readyOf(userKeys),
    deps.readUnobserved(),
    Promise.all(
      dueTurns.map(async (turn) => ({
        turn,
        sentMs: await messages.timesSince(turn.userKey, nowMs - dayMs),
      })),
    ),
  ])
  const items = [...itemsOf.values()].flat()
  const [reportsOf, textOf, mayGetAlerts] = await Promise.all([
    readReportsOf(deps, userKeys),
    readTexts(deps.warnings, items),
    islands.whoMayGetAlerts(
      items.flatMap(({ of, userKey, key }) =>
        of === 'island' ? [{ userKey, islandKey: key }] : [],
      ),
    ),
  ])
  const withText = (item: AlertedItem): AlertedItem => {
    const text = item.of === 'warning' ? textOf.get(item.key) : undefined
    return text === undefined ? item : { ...item, text }
  }
  const ends = turns.map(({ turn, sentMs }) =>
    takeTurn(turn, {
      nowMs,
      islandsUntilMs,
      mayGetAlerts,
      rules: rulesOf.get(turn.userKey) ?? defaultUserRules,
      unobserved,
      windowMs,
      items: (itemsOf.get(turn.userKey) ?? []).map(withText),
      reports: reportsOf.get(turn.userKey),
      ready: ready.get(turn.userKey) ?? [],
      sentMs,
      publicUrl,
    }),
  )
  await store.endTurns(ends, nowMs)
  return turns.length
}

async function readReportsOf(
  { store, reports }: Pick<AlertUsersDeps, 'store' | 'reports'>,
  userKeys: readonly number[],
): Promise<ReadonlyMap<number, PendingReports>> {
  const stored = await store.itemsOf(userKeys.map(reportsSubject))
  if (stored.size === 0) return new Map()
  const operators = new Set(await reports.operators())
  const found = Array.from(stored.values(), async ({ away: item }) => {
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
  const keys = items.filter(({ of }) => of === 'warning').map(({ key }) => key)
  if (keys.length === 0) return new Map()
  const reports = await warnings.read(keys)
  return new Map(
    reports.flatMap(({ deviceKey, status, text }) =>
      status === 'fail' && text !== null ? [[deviceKey, text] as const] : [],
    ),
  )
}
