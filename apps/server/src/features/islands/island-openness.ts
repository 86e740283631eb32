import type { IslandCard } from '@astropelago/contract/islands'
import type { Clock } from '../../clock.ts'
import { isoTime } from '../../iso-time.ts'
import type { Presence as DevicePresence } from '../presence/public.ts'
import { visibleFrom } from './access-policy.ts'
import type { FoundIsland, IslandPause, IslandRecord } from './islands-store.ts'

/** Pauses end by themselves. */
export function pauseAt(pause: IslandPause | null, atMs: number): IslandPause | null {
  return pause !== null && (pause.untilMs === null || atMs < pause.untilMs) ? pause : null
}

export type DeviceStatus = Awaited<ReturnType<DevicePresence['statusSince']>>

/** The clock ends pauses. */
export interface CarrierPresence extends Pick<DevicePresence, 'status' | 'statusSince'> {
  readonly clock: Clock
}

/** `sinceMs` is null if that is unknown. */
export interface Presence {
  readonly isOpen: boolean
  /** Whether a device or a check shows whether it is up. */
  readonly isWatched: boolean
  readonly sinceMs: number | null
}

/**
 * With a link, it is open while a check says so, or else unless a device that carries it is not online; with
 * the relay, while an agent carries it; with hosted pages, always.
 */
export function presenceOf(
  island: Pick<
    IslandRecord,
    'hasAddress' | 'isRelayed' | 'isHosted' | 'pages' | 'relayOpening' | 'check'
  >,
  isWatched: boolean,
  device?: DeviceStatus,
): Presence {
  const { hasAddress, isRelayed, isHosted, pages, relayOpening, check } = island
  // Whoever can ask this server about it can also enter it.
  if (isHosted) {
    const sinceMs = hasAddress ? (pages?.sinceMs ?? null) : null
    return { isOpen: hasAddress, isWatched: true, sinceMs }
  }
  if (!hasAddress) return { isOpen: false, isWatched, sinceMs: null }
  if (check !== null) return { isOpen: check.isUp, isWatched: true, sinceMs: check.sinceMs }
  if (!isRelayed && !isWatched) return { isOpen: true, isWatched, sinceMs: null }
  const isOpen = isRelayed ? relayOpening?.isOpen === true : device?.status === 'online'
  return { isOpen, isWatched, sinceMs: (isRelayed ? relayOpening : device)?.sinceMs ?? null }
}

export interface Opening extends Presence {
  readonly pause: IslandPause | null
}

/** A pause closes an island. Its state counts from the end of the pause at the earliest. */
export function openingAt(behind: Presence, pause: IslandPause | null, atMs: number): Opening {
  const current = pauseAt(pause, atMs)
  if (current !== null) return { ...behind, isOpen: false, sinceMs: current.fromMs, pause: current }
  const { sinceMs } = behind
  const endedMs = pause?.untilMs ?? 0
  return { ...behind, sinceMs: sinceMs === null ? null : Math.max(sinceMs, endedMs), pause: null }
}

export type Openness = Pick<IslandCard, 'isOpen' | 'isWatched' | 'since' | 'pause'>

export function presentOpening({ isOpen, isWatched, sinceMs, pause }: Opening): Openness {
  return { isOpen, isWatched, since: isoTime(sinceMs), pause: presentPause(pause) }
}

export function presentPause(pause: IslandPause | null): Openness['pause'] {
  return pause && { text: pause.text, until: isoTime(pause.untilMs) }
}

export async function readOpenness(
  island: Pick<IslandRecord, 'carrier' | 'pause'> & Parameters<typeof presenceOf>[0],
  { statusSince, clock }: Pick<CarrierPresence, 'statusSince' | 'clock'>,
): Promise<Openness> {
  const { carrier, hasAddress, isRelayed, isHosted, check, pause } = island
  const isByDevice = hasAddress && !isRelayed && !isHosted && check === null && carrier !== null
  const device = isByDevice ? await statusSince(carrier.key) : undefined
  const behind = presenceOf(island, carrier !== null, device)
  return presentOpening(openingAt(behind, pause, clock()))
}

export async function readVisibleOpenness(
  { island, viewer }: Pick<FoundIsland, 'island' | 'viewer'>,
  presence: Pick<CarrierPresence, 'statusSince' | 'clock'>,
): Promise<Openness> {
  return asVisible(await readOpenness(island, presence), visibleFrom(island, viewer))
}

/** [HI4] Leaves out since when, if that was before the reader might see the island. */
export function asVisible(openness: Openness, visibleFromMs: number | null): Openness {
  const { since } = openness
  const isVisible = since !== null && visibleFromMs !== null && Date.parse(since) >= visibleFromMs
  return { ...openness, since: isVisible ? since : null }
}
