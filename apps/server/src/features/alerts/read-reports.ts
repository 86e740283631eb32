import { operatorPage } from '@astropelago/contract/pages'
import type { ReportKind } from '@astropelago/contract/reports'
import type { ReportsStore } from '../reports/public.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore, ChangedItems } from './alerts-store.ts'
import type { AlertMessage, Channels, ReadyChannel } from './channels/channel.ts'
import { nameOf, type AlertItem, type AlertSubject } from './outages.ts'
import { gatherMs } from './read-changes.ts'
import { chooseChannels, defaultUserRules, type UserRules } from './user-rules.ts'

const source = 'reports'
/** Minimum time between two messages about reports, so that a flood makes one message. */
const restMs = 5 * 60_000

export interface ReportSource extends Pick<ReportsStore, 'readNew' | 'countOpen'> {
  readonly operators: () => Promise<readonly number[]>
}

export type OpenReports = Awaited<ReturnType<ReportSource['countOpen']>>

export function reportsSubject(userKey: number): AlertSubject {
  return { userKey, of: 'reports', key: 0 }
}

/** Turns new reports into pending alerts ([N27]). @returns whether there may be more */
export async function readReports(
  deps: {
    readonly store: Pick<AlertsStore, 'itemsOf' | 'storeRead' | 'positionOf'>
    readonly rules: Pick<AlertRulesStore, 'rulesOf'>
    readonly channels: Pick<Channels, 'readyOf'>
    readonly reports: Pick<ReportSource, 'readNew' | 'operators'>
  },
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<boolean> {
  const { store, rules, channels, reports } = deps
  const page = await reports.readNew(await store.positionOf(source), limit)
  const [first, last] = [page[0], page.at(-1)]
  if (first === undefined || last === undefined) return false
  const operators = await reports.operators()
  const [stored, rulesOf, ready] = await Promise.all([
    store.itemsOf(operators.map(reportsSubject)),
    rules.rulesOf(operators),
    channels.readyOf(operators),
  ])
  const changed: ChangedItems[] = []
  const dueMs = new Map<number, number>()
  for (const userKey of operators) {
    if (channelsForReports(rulesOf.get(userKey), ready.get(userKey)).length === 0) continue
    const subject = reportsSubject(userKey)
    const before = stored.get(nameOf(subject))?.away
    const waiting = before === undefined || before.times === 0 ? undefined : before
    const away: AlertItem = {
      ...subject,
      sinceMs: waiting?.sinceMs ?? first.atMs,
      endedMs: null,
      times: (waiting?.times ?? 0) + page.length,
      toldMs: before?.toldMs ?? null,
    }
    changed.push({ subject, items: { away } })
    dueMs.set(userKey, Math.max((reportsDueMs(away) ?? nowMs) + gatherMs, nowMs))
  }
  const cursor = { kind: 'source', source, position: last.position } as const
  await store.storeRead({ changed, dueMs, cursor })
  return page.length === limit
}

export function channelsForReports(
  { rules }: UserRules = defaultUserRules,
  ready: readonly ReadyChannel[] = [],
): readonly ReadyChannel[] {
  return rules.isOn && rules.tellsReports ? chooseChannels(ready, rules.channels) : []
}

export function reportsDueMs({ sinceMs, times, toldMs }: AlertItem): number | null {
  if (times === 0) return null
  return toldMs === null ? sinceMs : Math.max(sinceMs, toldMs + restMs)
}

const words: Readonly<Record<ReportKind, readonly [one: string, more: string]>> = {
  device: ['device', 'devices'],
  island: ['island', 'islands'],
  check: ['check', 'checks'],
  'log-entry': ['line in a log', 'lines in logs'],
  'room-message': ['message in a room', 'messages in rooms'],
}

/** Contains nothing that users wrote. */
export function writeReportsMessage(
  { newCount, newSubjects, subjectCount }: OpenReports,
  { publicUrl, nowMs }: { readonly publicUrl: string; readonly nowMs: number },
): AlertMessage {
  const counts = newSubjects.map(
    ({ kind, count }) => `${count} ${words[kind][count === 1 ? 0 : 1]}`,
  )
  return {
    kind: 'report',
    title: newCount === 1 ? '1 new report' : `${newCount} new reports`,
    lines: [`Reported: ${counts.join(', ')}.`, `Waiting for a decision in all: ${subjectCount}.`],
    url: `${publicUrl}${operatorPage}/reports`,
    atMs: nowMs,
    items: [],
  }
}
