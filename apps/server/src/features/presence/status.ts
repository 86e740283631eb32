import type { Status } from '@astropelago/contract/devices'

/** A span in which the server could not have heard a heartbeat, or could not have kept it. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

export interface PresenceRules {
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
  /** In the order of their beginnings. */
  readonly outages: readonly Outage[]
}

/**
 * When a device last heard of at `lastSeenMs` goes offline. An outage that begins before the deadline
 * moves it to the outage's end plus one window; a deadline that passed before the outage stands.
 * Never decreases with `lastSeenMs`, which is what lets the sweep stop at the first live device.
 */
export function deadlineMs(lastSeenMs: number, { windowMs, outages }: PresenceRules): number {
  let deadline = lastSeenMs + windowMs
  for (const outage of outages) {
    // One that ended before the heartbeat grants less than the heartbeat itself.
    if (outage.fromMs < deadline) deadline = Math.max(deadline, outage.toMs + windowMs)
  }
  return deadline
}

/** @param lastSeenMs null when the device has never reported */
export function statusAt(nowMs: number, lastSeenMs: number | null, rules: PresenceRules): Status {
  if (lastSeenMs === null) return 'unknown'
  return nowMs < deadlineMs(lastSeenMs, rules) ? 'online' : 'offline'
}
