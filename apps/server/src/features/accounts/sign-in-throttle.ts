import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { createBurstLimit } from './burst-limit.ts'

const minuteMs = 60_000
const failureWindowMs = 15 * minuteMs
const freeFailures = 10
const minDelayMs = 100
const maxDelayMs = 2000
const maxUsernames = 10_000
/** More would not lengthen the delay any further. */
const failuresKept = freeFailures + Math.ceil(Math.log2(maxDelayMs / minDelayMs))

interface SignInThrottleOptions {
  readonly clock: Clock
  readonly wait: (ms: number) => Promise<unknown>
  /** How many servers share the limit. Each allows its part. */
  readonly servers?: () => number
}

/** Takes folded usernames. */
export interface SignInThrottle {
  /**
   * Counts a try from an address. Only tries from the same address use up its allowance, so nobody can lock
   * out others.
   * @throws DomainError `rate_limited`
   */
  readonly admit: (address: string, username: string) => void
  /** After many failures for a username, from any address, delays each further try for it. */
  readonly slowDown: (username: string) => Promise<void>
  readonly noteFailure: (username: string) => void
}

export function createSignInThrottle({
  clock,
  wait,
  servers = () => 1,
}: SignInThrottleOptions): SignInThrottle {
  const limitAddress = createBurstLimit({ clock, maxTries: 60, windowMs: minuteMs, servers })
  const limitAddressAndUsername = createBurstLimit({
    clock,
    maxTries: 10,
    windowMs: minuteMs,
    servers,
  })
  const failures = new LRUCache<string, readonly number[]>(atMostEntries(maxUsernames))

  const recentFailures = (username: string) => {
    const nowMs = clock()
    return (failures.get(username) ?? []).filter((atMs) => nowMs - atMs < failureWindowMs)
  }

  return {
    admit: (address, username) => {
      const waitMs = limitAddress(address) || limitAddressAndUsername(`${address} ${username}`)
      if (waitMs > 0) {
        throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
      }
    },
    slowDown: async (username) => {
      const excess = recentFailures(username).length - freeFailures
      if (excess < 0) return
      await wait(Math.min(minDelayMs * 2 ** excess, maxDelayMs))
    },
    noteFailure: (username) => {
      failures.set(username, [...recentFailures(username), clock()].slice(-failuresKept))
    },
  }
}
