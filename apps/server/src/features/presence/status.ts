import type { Status } from '@astropelago/contract/devices'

/** A span in which the server could not receive or store heartbeats. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

export interface PresenceRules {
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
  readonly outages: readonly Outage[]
}

/**
 * An outage that begins before the deadline moves it to the outage's end plus one window. Never decreases
 * as `lastSeenMs` grows, so the sweep can stop at the first live device.
 */
export function deadlineMs(lastSeenMs: number, { windowMs, outages }: PresenceRules): number {
  let deadline = lastSeenMs + windowMs
  for (const outage of outages) {
    // An outage that ended before the heartbeat never extends the deadline.
    if (outage.fromMs < deadline) deadline = Math.max(deadline, outage.toMs + windowMs)
  }
  return deadline
}

export function statusAt(nowMs: number, lastSeenMs: number | null, rules: PresenceRules): Status {
  if (lastSeenMs === null) return 'unknown'
  return nowMs < deadlineMs(lastSeenMs, rules) ? 'online' : 'offline'
}
