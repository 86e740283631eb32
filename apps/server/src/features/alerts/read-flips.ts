import { defaultAlertRules } from '@astropelago/contract/alerts'
import type { AlertsStore, ChangedItems } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import { afterChange, nameOf, tellMs, type Span, type Thing } from './outages.ts'

/** Its name and cursor among the readers of flips. */
const alertsReader = 'alerts'
/** So long a user's message waits for whatever flips with the first device. */
const gatherMs = 2000

/** Flips in the order in which they were recorded; `app.ts` hands it in. */
export interface FlipsToTell {
  readonly read: (
    reader: string,
    limit: number,
  ) => Promise<
    | {
        readonly writer: number
        readonly sequences: readonly number[]
        readonly deviceKeys: readonly number[]
        readonly ownerKeys: readonly number[]
        readonly statuses: readonly ('online' | 'offline')[]
        readonly atMs: readonly number[]
      }
    | undefined
  >
}

interface Change {
  readonly thing: Thing
  readonly isAway: boolean
  readonly atMs: number
}

export interface ReadFlipsDeps {
  readonly store: Pick<AlertsStore, 'rulesOf' | 'itemsOf' | 'keepRead'>
  readonly flips: FlipsToTell
  readonly channels: Pick<Channels, 'readyOf'>
  readonly readUnobserved: () => Promise<readonly Span[]>
  readonly windowMs: number
}

/**
 * Makes of flips what is to be told of them, and moves its cursor with that ([N1]). Who has nowhere to be
 * told has nothing kept.
 * @returns whether there may be more
 */
export async function readFlips(
  { store, flips, channels, readUnobserved, windowMs }: ReadFlipsDeps,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<boolean> {
  const page = await flips.read(alertsReader, limit)
  if (page === undefined) return false
  const changes = page.deviceKeys.map((key, at): Change => ({
    thing: { userKey: page.ownerKeys[at] ?? 0, of: 'device', key },
    isAway: page.statuses[at] === 'offline',
    atMs: page.atMs[at] ?? 0,
  }))
  const users = [...new Set(page.ownerKeys)]
  const [known, rulesOf, ready, unobserved] = await Promise.all([
    store.itemsOf(changes.map(({ thing }) => thing)),
    store.rulesOf(users),
    channels.readyOf(users),
    readUnobserved(),
  ])
  const changed = new Map<string, ChangedItems>()
  const lookMs = new Map<number, number>()
  for (const change of changes) {
    const { thing } = change
    const { userKey } = thing
    const name = nameOf(thing)
    const rules = rulesOf.get(userKey) ?? defaultAlertRules
    const before = changed.get(name)?.items ?? known.get(name)
    if (!rules.isOn || !ready.has(userKey)) {
      if (before !== undefined) changed.set(name, { thing, items: {} })
      continue
    }
    const due = { rules, unobserved, windowMs }
    const items = afterChange(before ?? {}, change, due)
    changed.set(name, { thing, items })
    for (const item of [items.away, items.over]) {
      const fromMs = item && tellMs(item, due)
      if (fromMs === undefined || fromMs === null) continue
      const look = Math.max(fromMs + gatherMs, nowMs)
      lookMs.set(userKey, Math.min(look, lookMs.get(userKey) ?? Number.POSITIVE_INFINITY))
    }
  }
  const cursor = { reader: alertsReader, writer: page.writer, sequence: page.sequences.at(-1) ?? 0 }
  await store.keepRead({ changed: [...changed.values()], lookMs, cursor })
  return page.sequences.length === limit
}
