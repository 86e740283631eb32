import { storeChanges, type Change, type StoreChangesDeps } from './store-changes.ts'

/** Name of the alerts' cursor among the readers of flips. */
const alertsReader = 'alerts'

/** Flips in the order of their recording. `app.ts` provides them. */
export interface FlipSource {
  readonly read: (
    reader: string,
    limit: number,
  ) => Promise<
    | {
        readonly writer: number
        readonly sequences: readonly number[]
        readonly deviceKeys: readonly number[]
        readonly deviceIds: readonly string[]
        readonly ownerKeys: readonly number[]
        readonly statuses: readonly ('online' | 'offline')[]
        readonly atMs: readonly number[]
      }
    | undefined
  >
}

/** @returns whether there may be more */
export async function readFlips(
  { flips, ...deps }: StoreChangesDeps & { readonly flips: FlipSource },
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<boolean> {
  const page = await flips.read(alertsReader, limit)
  if (page === undefined) return false
  const changes = page.deviceKeys.map((key, at): Change => ({
    thing: { userKey: page.ownerKeys[at] ?? 0, of: 'device', key },
    id: page.deviceIds[at] ?? '',
    isOwn: true,
    isAway: page.statuses[at] === 'offline',
    atMs: page.atMs[at] ?? 0,
  }))
  const cursor = {
    kind: 'flips',
    reader: alertsReader,
    writer: page.writer,
    sequence: page.sequences.at(-1) ?? 0,
  } as const
  await storeChanges(deps, changes, { cursor, nowMs })
  return page.sequences.length === limit
}
