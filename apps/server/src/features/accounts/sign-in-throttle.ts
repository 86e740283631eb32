import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../cache-bound.ts'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'

const minuteMs = 60_000
const failureWindowMs = 15 * minuteMs
const freeFailures = 10
const minDelayMs = 100
const maxDelayMs = 2000
/** More would not lengthen the delay any further. */
const failuresRemembered = freeFailures + Math.ceil(Math.log2(maxDelayMs / minDelayMs))
const maxWaitMs = 15 * minuteMs
/** The keys tried longest ago are forgotten, so that strangers can't fill the memory. */
const maxKeys = 10_000

interface ThrottleOptions {
  readonly clock: Clock
  readonly servers?: () => number
}

/** Takes folded usernames. */
export function createSignInThrottle({
  wait,
  ...options
}: ThrottleOptions & { readonly wait: (ms: number) => Promise<unknown> }) {
  const { clock } = options
  const limitAddress = createBurstLimit({ ...options, maxTries: 60, windowMs: minuteMs })
  const limitAddressAndUsername = createBurstLimit({
    ...options,
    maxTries: 10,
    windowMs: minuteMs,
  })
  const failures = new LRUCache<string, readonly number[]>(atMostEntries(maxKeys))

  const recentFailures = (username: string) => {
    const nowMs = clock()
    return (failures.get(username) ?? []).filter((atMs) => nowMs - atMs < failureWindowMs)
  }

  return {
    /** Counts a try for its address alone, so nobody can lock out others. @throws DomainError `rate_limited` */
    admit: (address: string, username: string) => {
      const waitMs = limitAddress(address) || limitAddressAndUsername(`${address} ${username}`)
      if (waitMs > 0) {
        throw new DomainError('rate_limited', { retryAfterS: Math.ceil(waitMs / 1000) })
      }
    },
    /** After many failures for a username, from any address, delays each further try for it. */
    slowDown: async (username: string) => {
      const excess = recentFailures(username).length - freeFailures
      if (excess < 0) return
      await wait(Math.min(minDelayMs * 2 ** excess, maxDelayMs))
    },
    recordFailure: (username: string) => {
      failures.set(username, [...recentFailures(username), clock()].slice(-failuresRemembered))
    },
  }
}

interface Entry {
  tries: readonly number[]
  bursts: number
  waitUntilMs: number
}

/**
 * Returns how long the key must wait in ms. The first try beyond the limit imposes a wait of one window.
 * Each further burst doubles it, up to 15 minutes; 15 calm minutes end that. Tries during a wait do not
 * count, so a page that retries does not lock its user out for longer.
 */
export function createBurstLimit({
  clock,
  servers = () => 1,
  maxTries,
  windowMs,
}: ThrottleOptions & { readonly maxTries: number; readonly windowMs: number }) {
  const entries = new LRUCache<string, Entry>(atMostEntries(maxKeys))

  return (key: string): number => {
    const nowMs = clock()
    const entry = entries.get(key) ?? { tries: [], bursts: 0, waitUntilMs: 0 }
    if (nowMs < entry.waitUntilMs) return entry.waitUntilMs - nowMs

    const tries = entry.tries.filter((atMs) => nowMs - atMs < windowMs)
    const bursts = nowMs - entry.waitUntilMs < maxWaitMs ? entry.bursts : 0
    if (tries.length < Math.ceil(maxTries / servers())) {
      entries.set(key, { ...entry, tries: [...tries, nowMs], bursts })
      return 0
    }
    const waitMs = Math.min(windowMs * 2 ** bursts, maxWaitMs)
    entries.set(key, { tries: [], bursts: bursts + 1, waitUntilMs: nowMs + waitMs })
    return waitMs
  }
}
