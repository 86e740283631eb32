import type { ChecksFeature } from '../checks/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore, ChangedItems, ReadChanges } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import { afterChange, alertMs, nameOf, type AlertSubject, type Span } from './outages.ts'
import { chooseChannels, defaultUserRules, rulesOfSubject } from './user-rules.ts'

export const gatherMs = 2000
const flipsReader = 'alerts'
const warningsSource = 'warnings'

interface ReadChangesDeps {
  readonly store: Pick<AlertsStore, 'itemsOf' | 'storeRead' | 'positionOf' | 'listAlertedOfIsland'>
  readonly rules: Pick<AlertRulesStore, 'rulesOf' | 'listChoosers'>
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
}

interface Page {
  readonly nowMs: number
  readonly limit: number
}

/** @returns whether there may be more */
export async function readFlips(
  deps: ReadChangesDeps & { readonly flips: Pick<PresenceFeature['flips'], 'read'> },
  { nowMs, limit }: Page,
): Promise<boolean> {
  const page = await deps.flips.read(flipsReader, limit)
  if (page === undefined) return false
  const changes = page.deviceKeys.map((key, at): Change => ({
    subject: { userKey: page.ownerKeys[at] ?? 0, of: 'device', key },
    id: page.deviceIds[at] ?? '',
    isOwn: true,
    isAway: page.statuses[at] === 'offline',
    atMs: page.atMs[at] ?? 0,
  }))
  const { writer, sequences } = page
  const sequence = sequences.at(-1) ?? 0
  const cursor = { kind: 'flips', reader: flipsReader, writer, sequence } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return sequences.length === limit
}

/** @returns whether there may be more */
export async function readWarnings(
  deps: ReadChangesDeps & { readonly warnings: Pick<PresenceFeature['reports'], 'readChanges'> },
  { nowMs, limit }: Page,
): Promise<boolean> {
  const after = await deps.store.positionOf(warningsSource)
  const page = await deps.warnings.readChanges(after, limit)
  const position = page.at(-1)?.change
  if (position === undefined) return false
  const changes = page.map(({ deviceKey, deviceId, ownerKey, status, sinceMs }): Change => ({
    subject: { userKey: ownerKey, of: 'warning', key: deviceKey },
    id: deviceId,
    isOwn: true,
    isAway: status === 'fail',
    atMs: sinceMs,
  }))
  const cursor = { kind: 'source', source: warningsSource, position } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return page.length === limit
}

/** @returns whether there may be more */
export async function readChecks(
  deps: ReadChangesDeps & { readonly checks: Pick<ChecksFeature['store'], 'readChanges'> },
  { nowMs, limit }: Page,
): Promise<boolean> {
  // What was read is deleted. A position could pass a change whose transaction ends late.
  const page = await deps.checks.readChanges(0, limit)
  if (page.length === 0) return false
  const changes = page.map(({ checkKey, checkId, userKey, kind, atMs }): Change => ({
    subject: { userKey, of: 'check', key: checkKey },
    id: checkId,
    isOwn: true,
    isAway: kind === 'unobserved' ? null : kind === 'down',
    atMs,
  }))
  const cursor = { kind: 'checks', sequences: page.map(({ sequence }) => sequence) } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return page.length === limit
}

/** Handles the next users whom an island's change concerns ([N20] to [N23]). @returns whether there may be more */
export async function readIslands(
  deps: ReadChangesDeps & {
    readonly islands: Pick<IslandsFeature['alerts'], 'readChanges' | 'whoMayGetAlerts'>
  },
  { nowMs, limit }: Page,
): Promise<boolean> {
  const [change] = await deps.islands.readChanges(1)
  if (change === undefined) return false
  const { sequence, islandKey, islandId, hostKey, kind, atMs, alertedUserKey: afterKey } = change
  const isClosed = kind === 'closed'
  const found = isClosed
    ? await deps.rules.listChoosers(islandKey, { afterKey, limit })
    : await deps.store.listAlertedOfIsland(islandKey, { afterKey, limit })
  const isLastPage = found.length < limit
  const isFirstPage = afterKey === 0
  const userKeys =
    isClosed && hostKey !== null
      ? [...(isFirstPage ? [hostKey] : []), ...found.filter((userKey) => userKey !== hostKey)]
      : found
  const mayGetAlerts = await deps.islands.whoMayGetAlerts(
    userKeys.map((userKey) => ({ userKey, islandKey })),
  )
  const changes = userKeys
    // The end of an outage is recorded for everybody who has it pending.
    .filter((userKey) => !isClosed || mayGetAlerts(userKey, islandKey))
    .map((userKey): Change => ({
      subject: { userKey, of: 'island', key: islandKey },
      id: islandId,
      isOwn: userKey === hostKey,
      isAway: kind === 'unobserved' ? null : isClosed,
      atMs,
    }))
  const alertedUserKey = isLastPage ? null : (found.at(-1) ?? null)
  const cursor = { kind: 'island', islandChange: sequence, alertedUserKey } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return true
}

/** A subject that went down or recovered; `isAway` is null if that can no longer be known. */
interface Change {
  readonly subject: AlertSubject & { readonly of: Exclude<AlertSubject['of'], 'reports'> }
  readonly id: string
  readonly isOwn: boolean
  readonly isAway: boolean | null
  readonly atMs: number
}

/** Stores pending alerts, and moves their reader's cursor in the same transaction ([N1]). */
async function storeChanges(
  { store, rules, channels, readUnobserved, windowMs }: ReadChangesDeps,
  changes: readonly Change[],
  { cursor, nowMs }: { readonly cursor: ReadChanges['cursor']; readonly nowMs: number },
): Promise<void> {
  const users = [...new Set(changes.map(({ subject }) => subject.userKey))]
  const [stored, rulesOf, ready, unobserved] = await Promise.all([
    store.itemsOf(changes.map(({ subject }) => subject)),
    rules.rulesOf(users),
    channels.readyOf(users),
    readUnobserved(),
  ])
  const changed = new Map<string, ChangedItems>()
  const dueMs = new Map<number, number>()
  for (const change of changes) {
    const { subject, id, isOwn } = change
    const { userKey } = subject
    const name = nameOf(subject)
    const user = rulesOf.get(userKey) ?? defaultUserRules
    const applied = rulesOfSubject({ ...subject, id, isOwn }, user)
    const before = changed.get(name)?.items ?? stored.get(name)
    const chosen = chooseChannels(ready.get(userKey) ?? [], applied.channels)
    if (!applied.isOn || chosen.length === 0) {
      if (before !== undefined) changed.set(name, { subject, items: {} })
      continue
    }
    const due = { rules: applied.rules, maintenance: applied.maintenance, unobserved, windowMs }
    const items = afterChange(before ?? {}, { ...change, thing: subject }, due)
    changed.set(name, { subject, items })
    for (const item of [items.away, items.over]) {
      const fromMs = item && alertMs(item, due)
      if (fromMs === undefined || fromMs === null) continue
      const turnMs = Math.max(fromMs + gatherMs, nowMs)
      dueMs.set(userKey, Math.min(turnMs, dueMs.get(userKey) ?? Number.POSITIVE_INFINITY))
    }
  }
  await store.storeRead({ changed: [...changed.values()], dueMs, cursor })
}
