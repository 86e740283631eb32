import type { Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import { islandFacts } from '../testing/island-facts.ts'
import { CachedIslands } from './cached-islands.ts'

const carrierKey = 7
/** What only storage knows. */
const stored = { status: 'offline', sinceMs: 900 } as const

function setUp(flip: { readonly status: 'online' | 'offline'; readonly atMs: number } | null) {
  let status: Status = 'online'
  let queries = 0
  const clock = movableClock(1000)
  const cached = new CachedIslands({
    clock: clock.now,
    presence: {
      status: () => status,
      statusSince: async () => {
        queries += 1
        return stored
      },
    },
  })
  const island = islandFacts({
    publishedMs: null,
    carrier: { key: carrierKey, id: 'device', isPublic: false, isShared: false, flip },
  })
  return {
    cached,
    island,
    clock,
    setStatus: (to: Status) => {
      status = to
    },
    queries: () => queries,
  }
}

test('no query reads since when an island is open or closed if memory has the flip', async () => {
  const { cached, island, setStatus, queries } = setUp({ status: 'online', atMs: 100 })
  cached.set(island)
  expect(await cached.statusSince(carrierKey)).toEqual({ status: 'online', sinceMs: 100 })
  setStatus('offline')
  cached.applyFlips([carrierKey], 'offline', 200)
  expect(await cached.statusSince(carrierKey)).toEqual({ status: 'offline', sinceMs: 200 })
  setStatus('unknown')
  expect(await cached.statusSince(carrierKey)).toEqual({ status: 'unknown', sinceMs: null })
  expect(queries()).toBe(0)
})

test('[P2] a carrier past its deadline is offline from then on, though memory has it online', async () => {
  const { cached, island, setStatus, queries } = setUp({ status: 'online', atMs: 100 })
  cached.set(island)
  setStatus('offline')
  expect(await cached.statusSince(carrierKey)).toEqual(stored)
  expect(queries()).toBe(1)
})

test('storage says since when, for a carrier that memory lacks or whose flips it lacks', async () => {
  const { cached, island, setStatus, queries } = setUp(null)
  setStatus('offline')
  expect(await cached.statusSince(carrierKey)).toEqual(stored)
  cached.set(island)
  expect(await cached.statusSince(carrierKey)).toEqual(stored)
  cached.set({ ...island, hasAddress: false })
  expect(await cached.statusSince(carrierKey)).toEqual(stored)
  expect(queries()).toBe(3)
})

test('a paused island is closed, whatever its carrier does, and follows it again when the pause ends', () => {
  const { cached, island, clock } = setUp({ status: 'online', atMs: 100 })
  const pause = { fromMs: 900, untilMs: 2000, text: '' }
  cached.set({ ...island, pause })
  const opening = () => cached.find(island.key)?.opening
  expect(opening()).toMatchObject({ isOpen: false, sinceMs: 900, pause })
  expect(cached.applyFlips([carrierKey], 'offline', 1000)).toEqual([])
  expect(cached.applyFlips([carrierKey], 'online', 1500)).toEqual([])
  expect(cached.takeEndedPauses()).toEqual([])
  clock.move(1000)
  // It opens at once, and is returned once.
  expect(opening()).toMatchObject({ isOpen: true, sinceMs: 2000, pause: null })
  expect(cached.takeEndedPauses()).toEqual([island.key])
  expect(cached.takeEndedPauses()).toEqual([])
  expect(cached.applyFlips([carrierKey], 'offline', 2500)).toEqual([island.key])
  // The pause is not returned if the host ended it or the island is gone.
  for (const end of [
    () => cached.set({ ...island, pause: { ...pause, untilMs: 1000 } }),
    () => cached.delete(1),
  ]) {
    cached.set({ ...island, pause: { ...pause, untilMs: 3000 } })
    end()
    clock.move(1000)
    expect(cached.takeEndedPauses()).toEqual([])
  }
})

test('a relayed island says whether an operator trusts its host or has stopped it, whatever its access policy', () => {
  const { cached, island } = setUp(null)
  const relayed = { ...island, publishedMs: 5, isRelayed: true }
  cached.set(relayed)
  const isFree = { isHostTrusted: false, isStopped: false, mayAnybodyKnow: true }
  expect(cached.findServed(island.key)).toMatchObject(isFree)
  cached.set({ ...relayed, isHostTrusted: true })
  expect(cached.findServedBySlug(island.slug)).toMatchObject({ isHostTrusted: true })
  cached.set({ ...relayed, relayStop: { ofHost: false, atMs: 1, reason: '' }, access: 'invited' })
  const isStopped = { isStopped: true, mayAnybodyKnow: false }
  expect(cached.findServedOfHost(3, island.id)).toMatchObject(isStopped)
  cached.set({ ...island, isRelayed: false })
  expect(cached.findServed(island.key)).toBeUndefined()
})

test('a slug leads to the island that has it now, whatever becomes of the one that had it', () => {
  const { cached, island } = setUp(null)
  const relayed = { ...island, isRelayed: true }
  const [before, after] = [relayed, { ...relayed, key: 2, id: 'other' }]
  cached.set(before)
  cached.set(after)
  cached.delete(before.key)
  expect(cached.findServedBySlug(island.slug)).toMatchObject({ key: after.key })
})

test('a check that knows decides, whatever the carrier does', async () => {
  const { cached, island, setStatus } = setUp({ status: 'online', atMs: 100 })
  const opening = () => cached.find(island.key)?.opening
  cached.set({ ...island, check: { isUp: false, sinceMs: 300 } })
  expect(opening()).toEqual({ isOpen: false, isWatched: true, sinceMs: 300, pause: null })
  expect(cached.applyFlips([carrierKey], 'online', 400)).toEqual([])
  expect(opening()).toMatchObject({ isOpen: false, sinceMs: 300 })
  // It closed by its check, not with its device.
  setStatus('offline')
  expect(await cached.statusSince(carrierKey)).toEqual(stored)
  setStatus('online')
  cached.set(island)
  expect(opening()).toMatchObject({ isOpen: true, sinceMs: 100 })
})
