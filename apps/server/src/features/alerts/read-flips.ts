import { defaultAlertRules } from '@astropelago/contract/alerts'
import type { AlertsStore } from './alerts-store.ts'
import type { Channels } from './channels/channel.ts'
import { afterFlip, tellMs, type DeviceItems, type Span } from './outages-of-devices.ts'

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
  const owners = [...new Set(page.ownerKeys)]
  const [known, rulesOf, ready, unobserved] = await Promise.all([
    store.itemsOf([...new Set(page.deviceKeys)]),
    store.rulesOf(owners),
    channels.readyOf(owners),
    readUnobserved(),
  ])
  const items = new Map<number, DeviceItems>()
  const lookMs = new Map<number, number>()
  for (const [at, deviceKey] of page.deviceKeys.entries()) {
    const ownerKey = page.ownerKeys[at] ?? 0
    const rules = rulesOf.get(ownerKey) ?? defaultAlertRules
    if (!rules.isOn || !ready.has(ownerKey)) {
      if (known.has(deviceKey)) items.set(deviceKey, {})
      continue
    }
    const due = { rules, unobserved, windowMs }
    const before = items.get(deviceKey) ?? known.get(deviceKey) ?? {}
    const flip = {
      deviceKey,
      status: page.statuses[at] ?? 'online',
      atMs: page.atMs[at] ?? 0,
    }
    const after = afterFlip(before, flip, due)
    items.set(deviceKey, after)
    for (const item of [after.away, after.over]) {
      const fromMs = item && tellMs(item, due)
      if (fromMs === undefined || fromMs === null) continue
      const look = Math.max(fromMs + gatherMs, nowMs)
      lookMs.set(ownerKey, Math.min(look, lookMs.get(ownerKey) ?? Number.POSITIVE_INFINITY))
    }
  }
  const cursor = { reader: alertsReader, writer: page.writer, sequence: page.sequences.at(-1) ?? 0 }
  await store.keepRead({ items, lookMs, cursor })
  return page.sequences.length === limit
}
