import type { AlertsStore } from './alerts-store.ts'
import { storeChanges, type Change, type StoreChangesDeps } from './store-changes.ts'

const source = 'warnings'

/** What devices report about themselves. `app.ts` provides it. */
export interface WarningSource {
  /**
   * Devices whose warning began or ended after a change, with their current state, in the order of changes.
   */
  readonly readChanges: (
    after: number,
    limit: number,
  ) => Promise<
    readonly {
      readonly change: number
      readonly deviceKey: number
      readonly deviceId: string
      readonly ownerKey: number
      readonly status: 'ok' | 'fail'
      readonly sinceMs: number
    }[]
  >
  /** The devices' latest reports, in no order. */
  readonly read: (deviceKeys: readonly number[]) => Promise<
    readonly {
      readonly deviceKey: number
      readonly status: 'ok' | 'fail'
      readonly text: string | null
    }[]
  >
}

type ReadWarningsDeps = Omit<StoreChangesDeps, 'store'> & {
  readonly store: StoreChangesDeps['store'] & Pick<AlertsStore, 'positionOf'>
  readonly warnings: Pick<WarningSource, 'readChanges'>
}

/** @returns whether there may be more */
export async function readWarnings(
  { warnings, ...deps }: ReadWarningsDeps,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<boolean> {
  const page = await warnings.readChanges(await deps.store.positionOf(source), limit)
  const position = page.at(-1)?.change
  if (position === undefined) return false
  const changes = page.map(({ deviceKey, deviceId, ownerKey, status, sinceMs }): Change => ({
    thing: { userKey: ownerKey, of: 'warning', key: deviceKey },
    id: deviceId,
    isOwn: true,
    isAway: status === 'fail',
    atMs: sinceMs,
  }))
  await storeChanges(deps, changes, { cursor: { kind: 'source', source, position }, nowMs })
  return page.length === limit
}
