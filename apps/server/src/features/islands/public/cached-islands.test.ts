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
  const known = new CachedIslands({
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
    carrier: { key: carrierKey, id: 'device', isPublic: false, flip },
  })
  return {
    known,
    island,
    clock,
    setStatus: (to: Status) => {
      status = to
    },
    queries: () => queries,
  }
}

test('since when an island is open or closed takes no query where memory has the flip', async () => {
  const { known, island, setStatus, queries } = setUp({ status: 'online', atMs: 100 })
  known.set(island)
  expect(await known.statusSince(carrierKey)).toEqual({ status: 'online', sinceMs: 100 })
  setStatus('offline')
  known.noteFlips([carrierKey], 'offline', 200)
  expect(await known.statusSince(carrierKey)).toEqual({ status: 'offline', sinceMs: 200 })
  setStatus('unknown')
  expect(await known.statusSince(carrierKey)).toEqual({ status: 'unknown', sinceMs: null })
  expect(queries()).toBe(0)
})

test('[P2] a carrier past its deadline is offline since then, though memory has it online', async () => {
  const { known, island, setStatus, queries } = setUp({ status: 'online', atMs: 100 })
  known.set(island)
  setStatus('offline')
  expect(await known.statusSince(carrierKey)).toEqual(stored)
  expect(queries()).toBe(1)
})

test('of a carrier that memory does not have, or not its flips, storage tells', async () => {
  const { known, island, setStatus, queries } = setUp(null)
  setStatus('offline')
  expect(await known.statusSince(carrierKey)).toEqual(stored)
  known.set(island)
  expect(await known.statusSince(carrierKey)).toEqual(stored)
  known.set({ ...island, hasAddress: false })
  expect(await known.statusSince(carrierKey)).toEqual(stored)
  expect(queries()).toBe(3)
})

test('a paused island is closed, whatever its carrier does, and what that is by then when the pause ends', () => {
  const { known, island, clock } = setUp({ status: 'online', atMs: 100 })
  const pause = { fromMs: 900, untilMs: 2000, text: '' }
  known.set({ ...island, pause })
  const opening = () => known.find(island.key)?.opening
  expect(opening()).toMatchObject({ isOpen: false, sinceMs: 900, pause })
  expect(known.noteFlips([carrierKey], 'offline', 1000)).toEqual([])
  expect(known.noteFlips([carrierKey], 'online', 1500)).toEqual([])
  expect(known.takeEndedPauses()).toEqual([])
  clock.move(1000)
  // It opens at once, and is returned once.
  expect(opening()).toMatchObject({ isOpen: true, sinceMs: 2000, pause: null })
  expect(known.takeEndedPauses()).toEqual([island.key])
  expect(known.takeEndedPauses()).toEqual([])
  expect(known.noteFlips([carrierKey], 'offline', 2500)).toEqual([island.key])
  // The pause is not returned if the host ended it or the island is gone.
  for (const end of [
    () => known.set({ ...island, pause: { ...pause, untilMs: 1000 } }),
    () => known.delete(1),
  ]) {
    known.set({ ...island, pause: { ...pause, untilMs: 3000 } })
    end()
    clock.move(1000)
    expect(known.takeEndedPauses()).toEqual([])
  }
})
