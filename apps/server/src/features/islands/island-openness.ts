import type { Status } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import type { Clock } from '../../clock.ts'
import { visibleFrom } from './access-policy.ts'
import { pauseAt, presentPause, type IslandPause } from './island-pause.ts'
import type { FoundIsland, IslandRecord } from './islands-store.ts'

/** What islands need of the presence feature, handed in by `app.ts`, and the clock that ends pauses. */
export interface CarrierPresence {
  readonly status: (deviceKey: number) => Status
  /** The status and when it began; null if that is not on record. */
  readonly statusSince: (
    deviceKey: number,
  ) => Promise<{ readonly status: Status; readonly sinceMs: number | null }>
  readonly clock: Clock
}

/** Whether something answers for an island's visitors, and since when; null if unknown. */
export interface Presence {
  readonly isOpen: boolean
  /** Whether a device shows whether it is up. */
  readonly isWatched: boolean
  readonly sinceMs: number | null
}

/** Whether an island can be entered, and since when. */
export interface Opening extends Presence {
  /** The pause that it is in. */
  readonly pause: IslandPause | null
}

/**
 * A paused island is closed, whatever would answer. After a pause, its state counts from the end of
 * the pause at the earliest.
 */
export function openingAt(behind: Presence, pause: IslandPause | null, atMs: number): Opening {
  const current = pauseAt(pause, atMs)
  if (current !== null) return { ...behind, isOpen: false, sinceMs: current.fromMs, pause: current }
  const { sinceMs } = behind
  const endedMs = pause?.untilMs ?? 0
  return { ...behind, sinceMs: sinceMs === null ? null : Math.max(sinceMs, endedMs), pause: null }
}

/** The same, as the API presents it. */
export type Openness = Pick<IslandCard, 'isOpen' | 'isWatched' | 'since' | 'pause'>

type OpennessFacts = Pick<
  IslandRecord,
  'address' | 'isRelayed' | 'relayStop' | 'relayOpening' | 'carrier' | 'pause'
>

/**
 * A link without a device counts as open; with one, it is open while the device is online. Through the
 * relay, an island is open while an agent carries it. A paused island is closed.
 */
export async function readOpenness(
  island: OpennessFacts,
  presence: Pick<CarrierPresence, 'statusSince' | 'clock'>,
): Promise<Openness> {
  const behind = await readPresence(island, presence)
  return presentOpening(openingAt(behind, island.pause, presence.clock()))
}

async function readPresence(
  { address, isRelayed, relayStop, relayOpening, carrier }: OpennessFacts,
  presence: Pick<CarrierPresence, 'statusSince'>,
): Promise<Presence> {
  const isWatched = carrier !== null
  const hasAddress = address !== null || (isRelayed && relayStop === null && isWatched)
  if (!hasAddress) return { isOpen: false, isWatched, sinceMs: null }
  if (isRelayed) {
    return {
      isOpen: relayOpening?.isOpen === true,
      isWatched,
      sinceMs: relayOpening?.sinceMs ?? null,
    }
  }
  if (carrier === null) return { isOpen: true, isWatched, sinceMs: null }
  const { status, sinceMs } = await presence.statusSince(carrier.key)
  return { isOpen: status === 'online', isWatched, sinceMs }
}

export function presentOpening({ isOpen, isWatched, sinceMs, pause }: Opening): Openness {
  const since = sinceMs === null ? null : new Date(sinceMs).toISOString()
  return { isOpen, isWatched, since, pause: presentPause(pause) }
}

/** The openness, as far as the viewer may know it. */
export async function readVisibleOpenness(
  { island, viewer }: Pick<FoundIsland, 'island' | 'viewer'>,
  presence: Pick<CarrierPresence, 'statusSince' | 'clock'>,
): Promise<Openness> {
  return asVisible(await readOpenness(island, presence), visibleFrom(island, viewer))
}

/** [HI4] Leaves out since when, if that was before the reader might see the island. */
export function asVisible(openness: Openness, visibleFromMs: number | null): Openness {
  const { since } = openness
  const isAlerted = since !== null && visibleFromMs !== null && Date.parse(since) >= visibleFromMs
  return { ...openness, since: isAlerted ? since : null }
}
