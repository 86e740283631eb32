import type { AlertRulesStore } from './alert-rules-store.ts'
import type { AlertsStore, ChangedItems, ReadChanges } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import { afterChange, nameOf, alertMs, type Span, type AlertSubject } from './outages.ts'
import { chooseChannels, defaultUserRules, rulesOfSubject } from './user-rules.ts'

/** How long a user's message waits after the first change to include others. */
export const gatherMs = 2000

/** A thing that went away or came back; `isAway` is null if that can no longer be known. */
export interface Change {
  readonly thing: AlertSubject & { readonly of: Exclude<AlertSubject['of'], 'reports'> }
  readonly id: string
  readonly isOwn: boolean
  readonly isAway: boolean | null
  readonly atMs: number
}

export interface StoreChangesDeps {
  readonly store: Pick<AlertsStore, 'itemsOf' | 'keepRead'>
  readonly rules: Pick<AlertRulesStore, 'rulesOf'>
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
}

/**
 * Turns changes into pending alerts and moves their reader's cursor in the same transaction ([N1]). Users
 * without a ready channel get no deliveries.
 * @param changes in their order
 */
export async function storeChanges(
  { store, rules, channels, readUnobserved, windowMs }: StoreChangesDeps,
  changes: readonly Change[],
  { cursor, nowMs }: { readonly cursor: ReadChanges['cursor']; readonly nowMs: number },
): Promise<void> {
  const users = [...new Set(changes.map(({ thing }) => thing.userKey))]
  const [known, rulesOf, ready, unobserved] = await Promise.all([
    store.itemsOf(changes.map(({ thing }) => thing)),
    rules.rulesOf(users),
    channels.readyOf(users),
    readUnobserved(),
  ])
  const changed = new Map<string, ChangedItems>()
  const lookMs = new Map<number, number>()
  for (const change of changes) {
    const { thing, id, isOwn } = change
    const { userKey } = thing
    const name = nameOf(thing)
    const holding = rulesOfSubject(
      { ...thing, id, isOwn },
      rulesOf.get(userKey) ?? defaultUserRules,
    )
    const before = changed.get(name)?.items ?? known.get(name)
    const chosen = chooseChannels(ready.get(userKey) ?? [], holding.channels)
    if (!holding.isOn || chosen.length === 0) {
      if (before !== undefined) changed.set(name, { thing, items: {} })
      continue
    }
    const due = { rules: holding, maintenance: holding.maintenance, unobserved, windowMs }
    const items = afterChange(before ?? {}, change, due)
    changed.set(name, { thing, items })
    for (const item of [items.away, items.over]) {
      const fromMs = item && alertMs(item, due)
      if (fromMs === undefined || fromMs === null) continue
      const look = Math.max(fromMs + gatherMs, nowMs)
      lookMs.set(userKey, Math.min(look, lookMs.get(userKey) ?? Number.POSITIVE_INFINITY))
    }
  }
  await store.keepRead({ changed: [...changed.values()], lookMs, cursor })
}
