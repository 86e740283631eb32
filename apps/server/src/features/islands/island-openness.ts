import type { Status } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import { toldFrom } from './doors.ts'
import type { FoundIsland, IslandRecord } from './islands-store.ts'

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

type OpennessFacts = Pick<
  IslandRecord,
  'address' | 'isRelayed' | 'relayStop' | 'relayOpening' | 'carrier'
>

/**
 * A link that nobody watches counts as open, else it is while its carrier is online. Through the relay an
 * island is open while an agent carries it.
 */
export async function readOpenness(
  { address, isRelayed, relayStop, relayOpening, carrier }: OpennessFacts,
  presence: Pick<CarrierPresence, 'statusSince'>,
): Promise<Openness> {
  const isWatched = carrier !== null
  const hasAddress = address !== null || (isRelayed && relayStop === null && isWatched)
  if (!hasAddress) return { isOpen: false, isWatched, since: null }
  if (isRelayed) {
    return { isOpen: relayOpening?.isOpen === true, isWatched, since: toIso(relayOpening?.sinceMs) }
  }
  if (carrier === null) return { isOpen: true, isWatched, since: null }
  const { status, sinceMs } = await presence.statusSince(carrier.key)
  return { isOpen: status === 'online', isWatched, since: toIso(sinceMs) }
}

/** The same as far as it is for whoever found the island to know. */
export async function readToldOpenness(
  { island, viewer }: Pick<FoundIsland, 'island' | 'viewer'>,
  presence: Pick<CarrierPresence, 'statusSince'>,
): Promise<Openness> {
  return asTold(await readOpenness(island, presence), toldFrom(island, viewer))
}

/** [HI4] Without since when that is so, where that was before it was for the reader to know. */
export function asTold(openness: Openness, toldFromMs: number | null): Openness {
  const { since } = openness
  const isTold = since !== null && toldFromMs !== null && Date.parse(since) >= toldFromMs
  return { ...openness, since: isTold ? since : null }
}

function toIso(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}
