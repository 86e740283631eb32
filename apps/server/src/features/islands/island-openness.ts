import type { Status } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import type { IslandRecord } from './islands-store.ts'

/** What islands ask of the presence feature; `app.ts` hands it in. */
export interface CarrierPresence {
  readonly status: (deviceKey: number) => Status
  /** The status and when the device took it; null where that is not on record. */
  readonly statusSince: (
    deviceKey: number,
  ) => Promise<{ readonly status: Status; readonly sinceMs: number | null }>
}

/** Whether an island can be entered now, and since when that is so. */
export type Openness = Pick<IslandCard, 'isOpen' | 'isWatched' | 'since'>

/** An address that nobody watches counts as open; without one there is nowhere to go. */
export async function readOpenness(
  { address, carrier }: Pick<IslandRecord, 'address' | 'carrier'>,
  presence: Pick<CarrierPresence, 'statusSince'>,
): Promise<Openness> {
  if (address === null) return { isOpen: false, isWatched: carrier !== null, since: null }
  if (carrier === null) return { isOpen: true, isWatched: false, since: null }
  const { status, sinceMs } = await presence.statusSince(carrier.key)
  const since = sinceMs === null ? null : new Date(sinceMs).toISOString()
  return { isOpen: status === 'online', isWatched: true, since }
}
