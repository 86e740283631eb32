import type { Status } from '@astropelago/contract/devices'
import type { DeadlineRule } from './deadline-rule.ts'

/** A span in which the server could not receive or store heartbeats. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
}

export interface PresenceRules {
  /** How long a heartbeat keeps a device online. */
  readonly windowMs: number
  readonly outages: readonly Outage[]
  /** Given for a device with a schedule of its own, which then counts instead of the window. */
  readonly own?: DeadlineRule
}

/**
 * An outage that begins before the deadline moves it to the outage's end plus one window. Never decreases
 * as `lastSeenMs` grows, so the sweep can stop at the first live device.
 */
export function deadlineMs(lastSeenMs: number, rules: PresenceRules): number {
  const { windowMs, outages, own } = rules
  if (own !== undefined) return ownDeadlineMs(lastSeenMs, own, outages)
  let deadline = lastSeenMs + windowMs
  for (const outage of outages) {
    // An outage that ended before the heartbeat never extends the deadline.
    if (outage.fromMs < deadline) deadline = Math.max(deadline, outage.toMs + windowMs)
  }
  return deadline
}

/** The same by a schedule: an outage moves the deadline to the next expected time after it, plus grace. */
function ownDeadlineMs(
  lastSeenMs: number,
  { nextMs, graceMs }: DeadlineRule,
  outages: readonly Outage[],
): number {
  let deadline = nextMs(lastSeenMs) + graceMs
  for (const { fromMs, toMs } of outages) {
    if (toMs <= lastSeenMs || fromMs >= deadline) continue
    deadline = Math.max(deadline, nextMs(toMs) + graceMs)
  }
  return deadline
}

export function statusAt(nowMs: number, lastSeenMs: number | null, rules: PresenceRules): Status {
  if (lastSeenMs === null) return 'unknown'
  return nowMs < deadlineMs(lastSeenMs, rules) ? 'online' : 'offline'
}
